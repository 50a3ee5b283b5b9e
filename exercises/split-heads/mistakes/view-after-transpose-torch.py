# framework: torch
# verdict: runtime_error
"""You exchange tokens and features before the features are cut, and `view` refuses. With `reshape` it would run, and mix
the tokens. Cut first, `x.view(B, T, H, D // H)`, and transpose axes 1 and 2 after that."""


def split_heads(x, H):
    B, T, D = x.shape
    return x.transpose(1, 2).view(B, H, T, D // H)

# framework: torch
# verdict: runtime_error
"""In PyTorch `transpose` exchanges two axes, and you gave it four. Write `.transpose(1, 2)`, or `.permute(0, 2, 1, 3)`
for the order of all axes."""


def split_heads(x, H):
    B, T, D = x.shape
    return x.reshape(B, T, H, D // H).transpose(0, 2, 1, 3)

# framework: numpy
"""Head h got every H-th number of a token, as `x[..., h::H]` does. Its numbers should lie side by side, from `h * d` up
to `(h + 1) * d`: cut the last axis into `(H, d)`, not `(d, H)`."""


def split_heads(x, H):
    B, T, D = x.shape
    return x.reshape(B, T, D // H, H).transpose(0, 3, 1, 2)

# framework: numpy
"""Batch and heads are joined into one axis, `(B*H, T, d)`. Here they stay two axes: `(B, H, T, d)`."""


def split_heads(x, H):
    B, T, D = x.shape
    return x.reshape(B, T, H, D // H).transpose(0, 2, 1, 3).reshape(B * H, T, D // H)

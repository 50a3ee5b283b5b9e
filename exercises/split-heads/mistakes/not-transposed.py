# framework: numpy
"""The blocks are right, but the heads come after the tokens: `(B, T, H, d)`. Exchange axes 1 and 2."""


def split_heads(x, H):
    B, T, D = x.shape
    return x.reshape(B, T, H, D // H)

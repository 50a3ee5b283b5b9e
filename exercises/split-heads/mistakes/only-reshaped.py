# framework: numpy
"""The shape is right, but the tokens are mixed: this is `x` reshaped straight to `(B, H, T, d)`. Reshape to
`(B, T, H, d)` first, which only cuts the last axis, and then exchange the axes of tokens and heads."""


def split_heads(x, H):
    B, T, D = x.shape
    return x.reshape(B, H, T, D // H)

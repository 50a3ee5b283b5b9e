# framework: numpy
"""Your output has the shape `(B, H, d, T)`, with the tokens last. That is the layout of keys that are already
transposed for the product; here the features stay last: `(B, H, T, d)`."""


def split_heads(x, H):
    B, T, D = x.shape
    return x.reshape(B, T, H, D // H).transpose(0, 2, 3, 1)

# framework: numpy
# verdict: runtime_error
"""`D / H` is a float, and a shape is made of integers. Write `D // H`."""


def split_heads(x, H):
    B, T, D = x.shape
    return x.reshape(B, T, H, D / H).transpose(0, 2, 1, 3)

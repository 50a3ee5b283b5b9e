# framework: numpy
"""You have d heads of H numbers each; it should be H heads of d numbers. Cut the last axis into `(H, D // H)`, in this
order."""


def split_heads(x, H):
    B, T, D = x.shape
    return x.reshape(B, T, D // H, H).transpose(0, 2, 1, 3)

# framework: numpy
"""The shape is right, but a row of your output holds one feature of several tokens: tokens and features were exchanged,
and the result was reshaped. Cut the last axis of `x` first, `(B, T, H, d)`, and exchange tokens and heads after that."""


def split_heads(x, H):
    B, T, D = x.shape
    return x.transpose(0, 2, 1).reshape(B, H, T, D // H)

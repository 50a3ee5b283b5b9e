# framework: numpy
"""The shape is right, but tokens and heads are mixed: you brought the heads to the front by a reshape, which does not move
anything. Transpose, `q.transpose(0, 2, 1, 3)`, or use einsum."""

import math


def attention_scores(q, k):
    (B, T, H, d), S = q.shape, k.shape[1]
    return q.reshape(B, H, T, d) @ k.reshape(B, H, S, d).swapaxes(-1, -2) / math.sqrt(d)

"""Scaled dot products of all queries with all keys, head by head."""

import math

import numpy as np


def attention_scores(q, k):
    """out[b, h, t, s] = sum over i of q[b, t, h, i] * k[b, s, h, i], divided by sqrt(d)

    >>> q = np.array([[[[1, 0, 0, 0]], [[2, 2, 0, 0]]]], dtype=np.float32)
    >>> attention_scores(q, np.array([[[[4, 3, 0, 9]]]], dtype=np.float32))
    array([[[[2.],
             [7.]]]], dtype=float32)
    """
    d = q.shape[-1]
    return np.einsum("bthi,bshi->bhts", q, k) / math.sqrt(d)    # (B, H, T, S)

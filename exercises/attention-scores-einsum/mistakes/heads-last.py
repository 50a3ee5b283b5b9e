# framework: numpy
"""The heads come last in your result, `(B, T, S, H)`. Put them in front: end the string with `->bhts`."""

import math

import numpy as np


def attention_scores(q, k):
    return np.einsum("bthi,bshi->btsh", q, k) / math.sqrt(q.shape[-1])

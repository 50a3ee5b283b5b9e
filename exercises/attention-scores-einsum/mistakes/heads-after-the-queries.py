# framework: numpy
"""The heads come after the queries in your result, `(B, T, H, S)`. Put them in front: end the string with `->bhts`."""

import math

import numpy as np


def attention_scores(q, k):
    return np.einsum("bthi,bshi->bths", q, k) / math.sqrt(q.shape[-1])

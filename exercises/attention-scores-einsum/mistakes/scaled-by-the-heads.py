# framework: numpy
"""You divide by the root of the number of heads. Divide by `sqrt(d)`, and `d` is the last size: `q.shape[-1]`."""

import math

import numpy as np


def attention_scores(q, k):
    return np.einsum("bthi,bshi->bhts", q, k) / math.sqrt(q.shape[2])

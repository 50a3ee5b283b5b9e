# framework: numpy
"""You multiply by `sqrt(d)`. Divide by it: the scores should not grow with the length of the heads."""

import math

import numpy as np


def attention_scores(q, k):
    return np.einsum("bthi,bshi->bhts", q, k) * math.sqrt(q.shape[-1])

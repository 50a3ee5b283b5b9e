# framework: numpy
"""Your rows are keys and your columns are queries, `(B, H, S, T)`. Queries come first: end the string with `->bhts`."""

import math

import numpy as np


def attention_scores(q, k):
    return np.einsum("bthi,bshi->bhst", q, k) / math.sqrt(q.shape[-1])

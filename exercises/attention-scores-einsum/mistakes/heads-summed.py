# framework: numpy
"""The heads are gone, `(B, T, S)`: einsum sums over each letter that is not behind the arrow. Keep `h`: `->bhts`."""

import math

import numpy as np


def attention_scores(q, k):
    return np.einsum("bthi,bshi->bts", q, k) / math.sqrt(q.shape[-1])

# framework: numpy
"""The scores are right, but the dtype has become float64: `np.sqrt(d)` is a float64 scalar, and NumPy widens the array.
Use `math.sqrt(d)` or `d**0.5`."""

import numpy as np


def attention_scores(q, k):
    return np.einsum("bthi,bshi->bhts", q, k) / np.sqrt(q.shape[-1])

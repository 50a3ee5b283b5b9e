# framework: numpy
"""You divide by `d`. Divide by its square root."""

import numpy as np


def attention_scores(q, k):
    return np.einsum("bthi,bshi->bhts", q, k) / q.shape[-1]

# framework: numpy
"""You divide by the root of `d` without its decimals, so the scores are right only where the root is a whole number, as
for d = 4. Divide by the root itself."""

import math

import numpy as np


def attention_scores(q, k):
    return np.einsum("bthi,bshi->bhts", q, k) / math.isqrt(q.shape[-1])

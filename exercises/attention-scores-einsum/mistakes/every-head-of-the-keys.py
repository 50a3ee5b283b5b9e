# framework: numpy
"""Each head of a query is compared with the sum of all heads of a key: the two have different letters for the heads.
Write `h` in both, so that a head meets only itself."""

import math

import numpy as np


def attention_scores(q, k):
    return np.einsum("bthi,bsgi->bhts", q, k) / math.sqrt(q.shape[-1])

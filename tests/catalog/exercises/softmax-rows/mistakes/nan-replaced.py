# framework: numpy
"""Where `exp` overflows your output is 0, as `np.nan_to_num` makes it, and those rows no longer sum to 1. Keep it from
overflowing: subtract each row's maximum before `exp`."""

import numpy as np


def solve(x):
    e = np.exp(x)
    return np.nan_to_num(e / e.sum(axis=-1, keepdims=True))

# framework: numpy
"""You return float32 where the scores came as float64: only seven of sixteen digits are left. Leave out the cast,
and use the dtype of `x` for arrays of your own."""

import numpy as np


def solve(x):
    x = x.astype(np.float32)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)

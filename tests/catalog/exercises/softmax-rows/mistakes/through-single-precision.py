# framework: numpy
"""The dtype is float64 but the digits are those of float32: somewhere the scores were cast down and up again. Leave
out both casts."""

import numpy as np


def solve(x):
    x = x.astype(np.float32).astype(np.float64)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)

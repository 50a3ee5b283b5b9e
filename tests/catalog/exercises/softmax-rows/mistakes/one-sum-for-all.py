# framework: numpy
"""The whole array sums to 1, but every row should. Sum along the last axis only and keep it: `e.sum(axis=-1,
keepdims=True)`, of shape `(N, 1)`."""

import numpy as np


def solve(x):
    e = np.exp(x - x.max())
    return e / e.sum()

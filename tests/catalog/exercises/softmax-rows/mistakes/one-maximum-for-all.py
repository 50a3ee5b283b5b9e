# framework: numpy
"""You subtract one maximum, that of the whole array, so that a row far below it becomes 0/0. Each row has a maximum of
its own: `x.max(axis=-1, keepdims=True)`."""

import numpy as np


def solve(x):
    e = np.exp(x - x.max())
    return e / e.sum(axis=-1, keepdims=True)

# framework: numpy
"""Each row was given its own maximum, and then all were divided by one sum, that of the whole array. Divide each row by
its own: `e.sum(axis=-1, keepdims=True)`."""

import numpy as np


def solve(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum()

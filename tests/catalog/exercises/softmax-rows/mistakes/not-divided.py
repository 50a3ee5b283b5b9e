# framework: numpy
"""The largest entry of each row is 1, but the row should sum to 1. Divide by the sum of the exponentials, `e /
e.sum(axis=-1, keepdims=True)`."""

import numpy as np


def solve(x):
    return np.exp(x - x.max(axis=-1, keepdims=True))

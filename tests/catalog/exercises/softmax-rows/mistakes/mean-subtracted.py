# framework: numpy
"""You subtract each row's mean, but the largest score can still be far enough above it to overflow. Subtract the
row's maximum: then no exponent is above 0."""

import numpy as np


def solve(x):
    e = np.exp(x - x.mean(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)

# framework: numpy
"""The weights are right, but in the shape `(C, N)`: you turned the array to work along its first axis and did not
turn it back. Return `.T` of it, or work along `axis=-1` from the start."""

import numpy as np


def solve(x):
    e = np.exp(x.T - x.max(axis=-1))
    return e / e.sum(axis=0)

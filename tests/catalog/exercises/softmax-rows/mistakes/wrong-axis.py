# framework: numpy
"""Your columns sum to 1, but the rows should. Take both the maximum and the sum along the last axis, `axis=-1`,
with `keepdims=True`."""

import numpy as np


def solve(x):
    e = np.exp(x - x.max(axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)

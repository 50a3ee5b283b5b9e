# framework: numpy
"""Your function is right for `axis` 0 and 1 and takes -2 for 1. Counted from the end, -2 is axis 0 of a matrix: ask for
both, or use `axis % 2`."""

import numpy as np


def gather_along_axis(x, index, axis):
    out = np.zeros(index.shape, dtype=np.float32)
    for i, j in np.ndindex(*index.shape):
        out[i, j] = x[index[i, j], j] if axis == 0 else x[i, index[i, j]]
    return out

# framework: numpy
"""Your function is right for `axis` 0 and 1 and takes -2 for 1. Counted from the end, -2 is axis 0 of a matrix: ask for
both, or use `axis % 2`."""

import numpy as np


def gather_along_axis(x, index, axis):
    if axis == 0:
        return x[index, np.arange(x.shape[1])]
    return x[np.arange(x.shape[0])[:, None], index]

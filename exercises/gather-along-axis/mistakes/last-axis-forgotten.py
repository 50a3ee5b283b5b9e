# framework: numpy
# verdict: runtime_error
"""Your function is right for `axis` 0 and 1 and takes -1 for 0. Counted from the end, -1 is axis 1 of a matrix: ask for
both, or use `axis % 2`."""

import numpy as np


def gather_along_axis(x, index, axis):
    if axis == 1:
        return x[np.arange(x.shape[0])[:, None], index]
    return x[index, np.arange(x.shape[1])]

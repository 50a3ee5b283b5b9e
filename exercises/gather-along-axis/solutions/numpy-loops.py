# framework: numpy
import numpy as np


def gather_along_axis(x, index, axis):
    out = np.empty(index.shape, dtype=x.dtype)
    for i in range(index.shape[0]):
        for j in range(index.shape[1]):
            place = index[i, j]
            out[i, j] = x[place, j] if axis in (0, -2) else x[i, place]
    return out

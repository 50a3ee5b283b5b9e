# framework: numpy
"""Your output has three axes: `take` and `x[:, index]` pick every place in every row. Here each row has indices
of its own: `np.take_along_axis`, or `x[rows, columns]` with an array for each axis."""

import numpy as np


def gather_along_axis(x, index, axis):
    return np.take(x, index, axis=axis)

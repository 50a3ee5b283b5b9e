# framework: numpy
# verdict: runtime_error
"""You gather along the other axis: the index took the place that should stay. Along axis 1 the index names the columns,
`x[i, index[i, j]]`."""

import numpy as np


def gather_along_axis(x, index, axis):
    return np.take_along_axis(x, index, axis=1 - axis % 2)

# framework: numpy
# verdict: runtime_error
"""Your array of rows, `np.arange(N)`, lines up with the columns of the index. Make it a column: `np.arange(N)[:, None]`."""

import numpy as np


def gather_along_axis(x, index, axis):
    if axis in (0, -2):
        return x[index, np.arange(x.shape[1])]
    return x[np.arange(x.shape[0]), index]

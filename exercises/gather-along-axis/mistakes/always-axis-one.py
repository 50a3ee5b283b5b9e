# framework: numpy
# verdict: runtime_error
"""You gather along axis 1, whatever `axis` says. Use the argument: along axis 0 the index names the rows, and the columns
stay."""

import numpy as np


def gather_along_axis(x, index, axis):
    return np.take_along_axis(x, index, axis=1)

# framework: numpy
"""You picked the place before each index. The indices count from zero already, so leave out the `- 1`."""

import numpy as np


def gather_along_axis(x, index, axis):
    return np.take_along_axis(x, index - 1, axis=axis)

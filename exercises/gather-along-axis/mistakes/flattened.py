# framework: numpy
"""The shape is right, but your indices count through the flattened array, as in `np.take` without an axis: all numbers
come from the first row or rows. Use `np.take_along_axis`, or name a place on both axes."""

import numpy as np


def gather_along_axis(x, index, axis):
    return np.take(x, index)

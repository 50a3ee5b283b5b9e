# framework: numpy
import numpy as np


def gather_along_axis(x, index, axis):
    return np.take_along_axis(x, index, axis=axis)                  # (I, J)

# framework: numpy
import numpy as np


def gather_along_axis(x, index, axis):
    if axis % 2 == 0:
        return x[index, np.arange(x.shape[1])]                      # (I, J) and (J,)
    return x[np.arange(x.shape[0])[:, None], index]                 # (I, 1) and (I, J)

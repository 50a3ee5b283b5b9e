# framework: numpy
"""You use 10000 whatever `base` is. Put the argument in its place."""

import numpy as np


def relative_rotation(k, d_model, base):
    sine = np.arange(0, d_model, 2)
    cosine = sine + 1
    angle = k * 10000.0 ** (-sine / d_model)
    matrix = np.zeros((d_model, d_model), np.float32)
    matrix[sine, sine] = matrix[cosine, cosine] = np.cos(angle)
    matrix[sine, cosine] = np.sin(angle)
    matrix[cosine, sine] = -np.sin(angle)
    return matrix

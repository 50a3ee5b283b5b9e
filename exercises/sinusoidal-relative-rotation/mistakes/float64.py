# framework: numpy
"""The values are right, but the dtype is float64, which NumPy uses unless told otherwise. Give `np.zeros` the dtype
`np.float32`, or finish with `.astype(np.float32)`."""

import numpy as np


def relative_rotation(k, d_model, base):
    sine = np.arange(0, d_model, 2)
    cosine = sine + 1
    angle = k * base ** (-sine / d_model)
    matrix = np.zeros((d_model, d_model))
    matrix[sine, sine] = matrix[cosine, cosine] = np.cos(angle)
    matrix[sine, cosine] = np.sin(angle)
    matrix[cosine, sine] = -np.sin(angle)
    return matrix

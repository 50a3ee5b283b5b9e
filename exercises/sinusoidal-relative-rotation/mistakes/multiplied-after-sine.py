# framework: numpy
"""Right for a shift of 1. For others you multiplied the sines and cosines by `k`; it is the angle that grows with
`k`, so multiply before you take them."""

import numpy as np


def relative_rotation(k, d_model, base):
    sine = np.arange(0, d_model, 2)
    cosine = sine + 1
    angle = base ** (-sine / d_model)
    matrix = np.zeros((d_model, d_model), np.float32)
    matrix[sine, sine] = matrix[cosine, cosine] = k * np.cos(angle)
    matrix[sine, cosine] = k * np.sin(angle)
    matrix[cosine, sine] = -k * np.sin(angle)
    return matrix

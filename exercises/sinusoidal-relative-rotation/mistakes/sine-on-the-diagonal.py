# framework: numpy
"""Sine and cosine have changed places in the blocks. For no shift the matrix must be the identity, so the cosines
are on the diagonal."""

import numpy as np


def relative_rotation(k, d_model, base):
    sine = np.arange(0, d_model, 2)
    cosine = sine + 1
    angle = k * base ** (-sine / d_model)
    matrix = np.zeros((d_model, d_model), np.float32)
    matrix[sine, sine] = matrix[cosine, cosine] = np.sin(angle)
    matrix[sine, cosine] = np.cos(angle)
    matrix[cosine, sine] = -np.cos(angle)
    return matrix

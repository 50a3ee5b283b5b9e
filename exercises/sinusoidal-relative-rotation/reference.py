"""The matrix that shifts a sinusoidal encoding by k positions: one 2 x 2 rotation for each pair of columns."""

import numpy as np


def relative_rotation(k, d_model, base):
    """relative_rotation(k, d_model, base) @ PE[t] = PE[t + k] for every t

    >>> relative_rotation(1, 2, 10000.0).round(4)
    array([[ 0.5403,  0.8415],
           [-0.8415,  0.5403]], dtype=float32)
    """
    sine = np.arange(0, d_model, 2)                     # (d_model/2,): the columns 2i
    cosine = sine + 1                                   # (d_model/2,): the columns 2i + 1
    angle = k * base ** (-sine / d_model)               # (d_model/2,): how far each pair turns
    matrix = np.zeros((d_model, d_model), np.float32)
    matrix[sine, sine] = np.cos(angle)
    matrix[sine, cosine] = np.sin(angle)
    matrix[cosine, sine] = -np.sin(angle)
    matrix[cosine, cosine] = np.cos(angle)
    return matrix                                       # (d_model, d_model)

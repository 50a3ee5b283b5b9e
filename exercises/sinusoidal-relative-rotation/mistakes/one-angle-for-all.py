# framework: numpy
"""All pairs turn by the angle of the first. Each pair has a frequency of its own, so the angle of pair $i$ is $k$
times `base ** (-2 * i / d_model)`."""

import numpy as np


def relative_rotation(k, d_model, base):
    sine = np.arange(0, d_model, 2)
    cosine = sine + 1
    angle = k * base ** (-sine / d_model)
    matrix = np.zeros((d_model, d_model), np.float32)
    matrix[sine, sine] = matrix[cosine, cosine] = np.cos(k)
    matrix[sine, cosine] = np.sin(k)
    matrix[cosine, sine] = -np.sin(k)
    return matrix

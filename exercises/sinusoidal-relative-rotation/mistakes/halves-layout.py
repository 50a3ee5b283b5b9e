# framework: numpy
"""The numbers are right, but pair $i$ sits in entries $i$ and $i$ plus half of `d_model`. Here sine and cosine are
interleaved: pair $i$ is entries $2i$ and $2i + 1$."""

import numpy as np


def relative_rotation(k, d_model, base):
    sine = np.arange(d_model // 2)
    cosine = sine + d_model // 2
    angle = k * base ** (-2 * sine / d_model)
    matrix = np.zeros((d_model, d_model), np.float32)
    matrix[sine, sine] = matrix[cosine, cosine] = np.cos(angle)
    matrix[sine, cosine] = np.sin(angle)
    matrix[cosine, sine] = -np.sin(angle)
    return matrix

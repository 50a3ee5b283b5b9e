# framework: numpy
"""The blocks are in place, but the frequencies fall too fast: the exponent is $2i$ divided by `d_model`, with $i$
counting pairs. Numbers from `arange(0, d_model, 2)` already are $2i$."""

import numpy as np


def relative_rotation(k, d_model, base):
    sine = np.arange(0, d_model, 2)
    cosine = sine + 1
    angle = k * base ** (-2 * sine / d_model)
    matrix = np.zeros((d_model, d_model), np.float32)
    matrix[sine, sine] = matrix[cosine, cosine] = np.cos(angle)
    matrix[sine, cosine] = np.sin(angle)
    matrix[cosine, sine] = -np.sin(angle)
    return matrix

# framework: numpy
"""The blocks are in place, but the frequencies fall too slowly: the exponent is $2i$ divided by `d_model`, with $i$
counting pairs, and yours is half of that."""

import numpy as np


def relative_rotation(k, d_model, base):
    pair = np.arange(d_model // 2)
    sine, cosine = 2 * pair, 2 * pair + 1
    angle = k * base ** (-pair / d_model)
    matrix = np.zeros((d_model, d_model), np.float32)
    matrix[sine, sine] = matrix[cosine, cosine] = np.cos(angle)
    matrix[sine, cosine] = np.sin(angle)
    matrix[cosine, sine] = -np.sin(angle)
    return matrix

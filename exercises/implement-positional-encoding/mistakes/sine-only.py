# framework: numpy
"""Every column is a sine. The odd columns, $2i + 1$, hold the cosine of the same angle."""

import numpy as np


def positional_encoding(max_len, d_model, base=10000.0):
    position = np.arange(max_len)[:, None]
    column = np.arange(d_model)
    angle = position / base ** (2 * (column // 2) / d_model)
    return np.sin(angle).astype(np.float32)

# framework: numpy
"""The values are right, but the dtype is float64, which NumPy uses unless told otherwise. Finish with
`.astype(np.float32)`."""

import numpy as np


def positional_encoding(max_len, d_model, base=10000.0):
    position = np.arange(max_len)[:, None]
    column = np.arange(d_model)
    angle = position / base ** (2 * (column // 2) / d_model)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle))

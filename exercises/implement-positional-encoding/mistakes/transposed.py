# framework: numpy
"""Your table has the shape `(d_model, max_len)`: it lies on its side. Positions run down the rows, so make them a
column with `[:, None]`, or return `.T`."""

import numpy as np


def positional_encoding(max_len, d_model, base=10000.0):
    position = np.arange(max_len)
    column = np.arange(d_model)[:, None]
    angle = position / base ** (2 * (column // 2) / d_model)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle)).astype(np.float32)

# framework: numpy
"""Your first row is that of position 1. Positions count from 0, so the table starts with 0, 1, 0, 1, …: use
`arange(max_len)` as it is."""

import numpy as np


def positional_encoding(max_len, d_model, base=10000.0):
    position = np.arange(1, max_len + 1)[:, None]
    column = np.arange(d_model)
    angle = position / base ** (2 * (column // 2) / d_model)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle)).astype(np.float32)

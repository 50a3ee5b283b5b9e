# framework: numpy
"""Sine and cosine have changed places. Even columns hold the sine, odd ones the cosine, so the row of position 0 is
0, 1, 0, 1, …."""

import numpy as np


def positional_encoding(max_len, d_model, base=10000.0):
    position = np.arange(max_len)[:, None]
    column = np.arange(d_model)
    angle = position / base ** (2 * (column // 2) / d_model)
    return np.where(column % 2 == 1, np.sin(angle), np.cos(angle)).astype(np.float32)

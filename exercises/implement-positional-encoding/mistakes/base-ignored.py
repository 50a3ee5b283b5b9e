# framework: numpy
"""Right for a base of 10000, but you use 10000 whatever `base` is. Put the argument in its place."""

import numpy as np


def positional_encoding(max_len, d_model, base=10000.0):
    position = np.arange(max_len)[:, None]
    column = np.arange(d_model)
    angle = position / 10000.0 ** (2 * (column // 2) / d_model)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle)).astype(np.float32)

# framework: numpy
"""You multiply the position by the power of the base, so the hands turn faster from pair to pair. Divide by it:
later pairs turn more slowly."""

import numpy as np


def positional_encoding(max_len, d_model, base=10000.0):
    position = np.arange(max_len)[:, None]
    column = np.arange(d_model)
    angle = position * base ** (2 * (column // 2) / d_model)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle)).astype(np.float32)

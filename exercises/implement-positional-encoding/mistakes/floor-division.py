# framework: numpy
"""All pairs turn at the same speed: every exponent has become 0, as `2 * i // d_model` makes it. Divide with `/`,
which keeps the fraction."""

import numpy as np


def positional_encoding(max_len, d_model, base=10000.0):
    position = np.arange(max_len)[:, None]
    column = np.arange(d_model)
    angle = position / base ** (2 * (column // 2) // d_model)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle)).astype(np.float32)

# framework: numpy
"""You used the number of the column where the formula has $i$, so the denominators grow too fast from column to
column. $i$ counts pairs: take `column // 2`, the same for a sine and the cosine after it."""

import numpy as np


def positional_encoding(max_len, d_model, base=10000.0):
    position = np.arange(max_len)[:, None]
    column = np.arange(d_model)
    angle = position / base ** (2 * column / d_model)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle)).astype(np.float32)

# framework: numpy
"""The exponent grows from column to column: here the even columns are right and the odd ones are not. A cosine
shares its angle with the sine before it, so count pairs, `column // 2`, and use `2 * pair / d_model`."""

import numpy as np


def positional_encoding(max_len, d_model, base=10000.0):
    position = np.arange(max_len)[:, None]
    column = np.arange(d_model)
    angle = position / base ** (column / d_model)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle)).astype(np.float32)

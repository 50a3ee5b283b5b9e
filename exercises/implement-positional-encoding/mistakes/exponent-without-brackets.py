# framework: numpy
"""`base ** 2 * i / d_model` is the square of `base`, times `i`, divided by `d_model`: a power binds more tightly than a
product. Put the exponent in brackets, `p / base ** (2 * i / d_model)`."""

import numpy as np


def positional_encoding(max_len, d_model, base=10000.0):
    column = np.arange(d_model)
    angle = np.arange(max_len)[:, None] / base**2 * (column // 2) / d_model
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle)).astype(np.float32)

# framework: numpy
"""Right for an even `d_model`. For an odd one you divide the exponent by the next even number. It is divided by `d_model`
itself, also where the last pair has only its sine."""

import numpy as np


def positional_encoding(max_len, d_model, base=10000.0):
    column = np.arange(d_model)
    angle = np.arange(max_len)[:, None] / base ** (2 * (column // 2) / (d_model + d_model % 2))
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle)).astype(np.float32)

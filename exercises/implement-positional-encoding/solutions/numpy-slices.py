# framework: numpy
import numpy as np


def positional_encoding(max_len, d_model, base=10000.0):
    pair = np.arange((d_model + 1) // 2)                                # (pairs,), the last may be half a pair
    angle = np.arange(max_len)[:, None] * base ** (-2 * pair / d_model)     # (max_len, pairs)
    table = np.empty((max_len, d_model), dtype=np.float32)
    table[:, 0::2] = np.sin(angle)
    table[:, 1::2] = np.cos(angle[:, : d_model // 2])
    return table

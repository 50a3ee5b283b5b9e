# framework: numpy
"""You spread the exponents so that the last pair has exponent 1, dividing $i$ by one less than the number of pairs.
Some implementations do; the paper divides $2i$ by `d_model`, and the last exponent stays below 1."""

import numpy as np


def positional_encoding(max_len, d_model, base=10000.0):
    pairs = (d_model + 1) // 2
    position = np.arange(max_len)[:, None]
    angle = position / base ** (np.arange(pairs) / max(pairs - 1, 1))
    table = np.empty((max_len, d_model), dtype=np.float32)
    table[:, 0::2] = np.sin(angle)
    table[:, 1::2] = np.cos(angle[:, : d_model // 2])
    return table

"""The sinusoidal table of "Attention Is All You Need", section 3.5, with sines and cosines interleaved."""

import numpy as np


def positional_encoding(max_len, d_model, base=10000.0):
    """out[p, 2i] = sin(p / base**(2i/d_model)), out[p, 2i+1] = cos of the same angle

    >>> positional_encoding(2, 4).round(4)
    array([[0.    , 1.    , 0.    , 1.    ],
           [0.8415, 0.5403, 0.01  , 1.    ]], dtype=float32)
    """
    position = np.arange(max_len)[:, None]                              # (max_len, 1)
    column = np.arange(d_model)                                         # (d_model,)
    pair = column // 2                                                  # (d_model,): 0, 0, 1, 1, 2, 2, ...
    angle = position / base ** (2 * pair / d_model)                     # (max_len, d_model)
    table = np.where(column % 2 == 0, np.sin(angle), np.cos(angle))     # (max_len, d_model)
    return table.astype(np.float32)

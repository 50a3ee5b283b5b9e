"""The wavelength of each pair of columns in a sinusoidal table: how many positions make one full turn."""

import numpy as np


def wavelengths(d_model, base):
    """out[i] = 2 pi * base**(2i/d_model)

    >>> wavelengths(4, 10000.0)
    array([  6.2831855, 628.31854  ], dtype=float32)
    """
    pair = np.arange(d_model // 2)                          # (d_model/2,)
    denominator = base ** (2 * pair / d_model)              # (d_model/2,): the angle is position / denominator
    return (2 * np.pi * denominator).astype(np.float32)     # (d_model/2,)

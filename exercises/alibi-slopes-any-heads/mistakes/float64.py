# framework: numpy
"""The values are right, but the dtype is float64, which NumPy makes of divisions and of Python's floats. End with
`.astype(np.float32)`."""

import numpy as np


def alibi_slopes(n_heads):
    p = 1 << (n_heads.bit_length() - 1)
    own = np.arange(1, p + 1) / p
    between = (2 * np.arange(n_heads - p) + 1) / (2 * p)
    return 2.0 ** (-8 * np.concatenate([own, between]))

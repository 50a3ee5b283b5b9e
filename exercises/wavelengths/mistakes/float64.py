# framework: numpy
"""The values are right, but the dtype is float64, which NumPy uses unless told otherwise. Finish with
`.astype(np.float32)`."""

import numpy as np


def wavelengths(d_model, base):
    pair = np.arange(d_model // 2)
    return 2 * np.pi * base ** (2 * pair / d_model)

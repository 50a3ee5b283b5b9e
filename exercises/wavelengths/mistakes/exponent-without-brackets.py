# framework: numpy
"""`base ** 2 * i / d_model` is the square of `base`, times `i`, divided by `d_model`: a power binds more tightly than a
product. Put the exponent in brackets, `base ** (2 * i / d_model)`."""

import numpy as np


def wavelengths(d_model, base):
    pair = np.arange(d_model // 2)
    return (2 * np.pi * base**2 * pair / d_model).astype(np.float32)

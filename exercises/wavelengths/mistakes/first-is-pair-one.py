# framework: numpy
r"""Your first wavelength is that of pair 1. Pairs count from 0, and the exponent of the first is 0, which makes its
wavelength $2\pi$."""

import numpy as np


def wavelengths(d_model, base):
    pair = np.arange(1, d_model // 2 + 1)
    return (2 * np.pi * base ** (2 * pair / d_model)).astype(np.float32)

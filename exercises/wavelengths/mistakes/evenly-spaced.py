# framework: numpy
"""Your wavelengths are spaced evenly. The exponent grows evenly, so each wavelength is a fixed multiple of the
one before."""

import numpy as np


def wavelengths(d_model, base):
    pair = np.arange(d_model // 2)
    return (2 * np.pi * (1 + (base - 1) * 2 * pair / d_model)).astype(np.float32)

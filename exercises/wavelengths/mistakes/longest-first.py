# framework: numpy
r"""The wavelengths are right, but the longest comes first. Pair 0 is the fastest, with a wavelength of $2\pi$."""

import numpy as np


def wavelengths(d_model, base):
    pair = np.arange(d_model // 2)
    return (2 * np.pi * base ** (2 * pair / d_model)).astype(np.float32)[::-1]

# framework: numpy
r"""Your wavelengths are half as long as they should be. After $\pi$ radians the hand points the opposite way, and
the column has only changed its sign; it repeats after $2\pi$."""

import numpy as np


def wavelengths(d_model, base):
    pair = np.arange(d_model // 2)
    return (np.pi * base ** (2 * pair / d_model)).astype(np.float32)

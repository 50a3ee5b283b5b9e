# framework: numpy
r"""These are the frequencies: the angle, in radians, by which each pair turns for one position. The wavelength is
$2\pi$ divided by the frequency."""

import numpy as np


def wavelengths(d_model, base):
    pair = np.arange(d_model // 2)
    return (base ** (-2 * pair / d_model)).astype(np.float32)

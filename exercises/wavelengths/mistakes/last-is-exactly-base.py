# framework: numpy
r"""You let the last wavelength be exactly $2\pi$ times the base. The exponents are $2i$ divided by `d_model`, and
for the last pair that is a little below 1."""

import numpy as np


def wavelengths(d_model, base):
    return np.geomspace(2 * np.pi, 2 * np.pi * base, d_model // 2).astype(np.float32)

# framework: numpy
"""Your exponent is $i$ divided by `d_model`, so the waves grow half as fast as they should on a logarithmic scale.
The exponent is $2i$ divided by `d_model`, with $i$ counting pairs."""

import numpy as np


def wavelengths(d_model, base):
    pair = np.arange(d_model // 2)
    return (2 * np.pi * base ** (pair / d_model)).astype(np.float32)

# framework: numpy
r"""Your waves grow twice as fast as they should on a logarithmic scale: the exponent is $2i$ divided by `d_model`,
with $i = 0, 1, 2, \dots$. Numbers from `arange(0, d_model, 2)` already are $2i$."""

import numpy as np


def wavelengths(d_model, base):
    column = np.arange(0, d_model, 2)
    return (2 * np.pi * base ** (2 * column / d_model)).astype(np.float32)

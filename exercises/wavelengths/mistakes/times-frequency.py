# framework: numpy
r"""Your wavelengths shrink from pair to pair: you multiplied $2\pi$ by the frequency. Divide by it. The slower a
pair turns, the longer its wave."""

import numpy as np


def wavelengths(d_model, base):
    pair = np.arange(d_model // 2)
    return (2 * np.pi * base ** (-2 * pair / d_model)).astype(np.float32)

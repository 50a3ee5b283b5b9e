# framework: numpy
"""You return `d_model` wavelengths, one for each number from 0 to `d_model - 1`. $i$ counts pairs of columns, so it
stops at `d_model // 2`."""

import numpy as np


def wavelengths(d_model, base):
    pair = np.arange(d_model)
    return (2 * np.pi * base ** (2 * pair / d_model)).astype(np.float32)

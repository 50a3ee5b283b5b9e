# framework: numpy
"""You return `d_model` wavelengths, each one twice. A sine and its cosine share an angle, so return one for each
pair: `d_model // 2` in all."""

import numpy as np


def wavelengths(d_model, base):
    pair = np.arange(d_model) // 2
    return (2 * np.pi * base ** (2 * pair / d_model)).astype(np.float32)

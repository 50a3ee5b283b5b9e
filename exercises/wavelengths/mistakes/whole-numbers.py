# framework: numpy
r"""You rounded the wavelengths to whole numbers. They need not be whole: $2\pi$ is the first. Return them as they
are."""

import numpy as np


def wavelengths(d_model, base):
    pair = np.arange(d_model // 2)
    return np.round(2 * np.pi * base ** (2 * pair / d_model)).astype(np.float32)

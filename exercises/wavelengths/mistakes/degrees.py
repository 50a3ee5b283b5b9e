# framework: numpy
r"""You count a full turn as 360 degrees, but the angles are in radians. Multiply by $2\pi$ in place of 360."""

import numpy as np


def wavelengths(d_model, base):
    pair = np.arange(d_model // 2)
    return (360 * base ** (2 * pair / d_model)).astype(np.float32)

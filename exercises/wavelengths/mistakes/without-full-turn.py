# framework: numpy
r"""You return the denominators. After that many positions a pair has turned by one radian; a full turn is $2\pi$
radians, so multiply by $2\pi$."""

import numpy as np


def wavelengths(d_model, base):
    pair = np.arange(d_model // 2)
    return (base ** (2 * pair / d_model)).astype(np.float32)

# framework: numpy
"""The values are right, but in a list. Make an array of them: `np.array(values, dtype=np.float32)`."""

import math


def wavelengths(d_model, base):
    return [2 * math.pi * base ** (2 * pair / d_model) for pair in range(d_model // 2)]

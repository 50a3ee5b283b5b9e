# framework: numpy
"""Right near zero, wrong for numbers far from it: `E[x^2] - E[x]^2` is a small difference of large numbers, and loses
nearly all digits in float32. Subtract the mean first, then take the mean of the squares."""

import numpy as np


def layer_norm(x, scale, shift, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = np.maximum((x**2).mean(axis=-1, keepdims=True) - mean**2, 0)
    return scale * (x - mean) / np.sqrt(variance + eps) + shift

# framework: numpy
"""Your variance is divided by `D - 1`, as `ddof=1` does. Layer normalisation divides by `D`, which is NumPy's default:
leave out `ddof`."""

import numpy as np


def layer_norm(x, scale, shift, eps):
    variance = x.var(axis=-1, keepdims=True, ddof=1)
    return scale * (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(variance + eps) + shift

# framework: numpy
"""You multiply by `shift` and add `scale`. The third argument is what you add."""

import numpy as np


def layer_norm(x, scale, shift, eps):
    centred = x - x.mean(axis=-1, keepdims=True)
    return shift * centred / np.sqrt(x.var(axis=-1, keepdims=True) + eps) + scale

# framework: numpy
"""The tokens are normalised, but `scale` and `shift` have no effect. Multiply by `scale` and add `shift`."""

import numpy as np


def layer_norm(x, scale, shift, eps):
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt(x.var(axis=-1, keepdims=True) + eps)

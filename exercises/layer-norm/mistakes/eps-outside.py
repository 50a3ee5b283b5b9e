# framework: numpy
"""You add `eps` to the standard deviation. It belongs inside the root, to the variance: `sqrt(variance + eps)`."""

import numpy as np


def layer_norm(x, scale, shift, eps):
    centred = x - x.mean(axis=-1, keepdims=True)
    return scale * centred / (x.std(axis=-1, keepdims=True) + eps) + shift

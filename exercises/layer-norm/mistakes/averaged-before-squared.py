# framework: numpy
"""You divide by `sqrt(eps)`, or nearly: your variance is almost 0, as it is if you average the centred numbers and then
square. Square each centred number first, and then take the mean."""

import numpy as np


def layer_norm(x, scale, shift, eps):
    centred = x - x.mean(axis=-1, keepdims=True)
    return scale * centred / np.sqrt(centred.mean(axis=-1, keepdims=True) ** 2 + eps) + shift

# framework: numpy
"""You add `shift` first, and the scale multiplies it too. Multiply by `scale` first: `scale * normalised + shift`."""

import numpy as np


def layer_norm(x, scale, shift, eps):
    centred = x - x.mean(axis=-1, keepdims=True)
    return scale * (centred / np.sqrt(x.var(axis=-1, keepdims=True) + eps) + shift)

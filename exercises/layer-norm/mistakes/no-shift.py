# framework: numpy
"""`shift` has no effect. Add it at the end, after the scale."""

import numpy as np


def layer_norm(x, scale, shift, eps):
    centred = x - x.mean(axis=-1, keepdims=True)
    return scale * centred / np.sqrt(x.var(axis=-1, keepdims=True) + eps)

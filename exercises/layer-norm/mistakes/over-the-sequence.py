# framework: numpy
"""All tokens of a sequence share one mean and one variance. Each token has its own: take both along the last axis only,
`axis=-1`."""

import numpy as np


def layer_norm(x, scale, shift, eps):
    centred = x - x.mean(axis=(1, 2), keepdims=True)
    return scale * centred / np.sqrt(x.var(axis=(1, 2), keepdims=True) + eps) + shift

# framework: numpy
"""You normalise each feature over the batch, `axis=0`, as batch normalisation does. Take mean and variance of each
token's own features: `axis=-1`."""

import numpy as np


def layer_norm(x, scale, shift, eps):
    centred = x - x.mean(axis=0, keepdims=True)
    return scale * centred / np.sqrt(x.var(axis=0, keepdims=True) + eps) + shift

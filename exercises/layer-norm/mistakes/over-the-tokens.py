# framework: numpy
"""You normalise each feature over the tokens of a sequence, `axis=1`. Take mean and variance of each token's own
features: `axis=-1`."""

import numpy as np


def layer_norm(x, scale, shift, eps):
    centred = x - x.mean(axis=1, keepdims=True)
    return scale * centred / np.sqrt(x.var(axis=1, keepdims=True) + eps) + shift

# framework: numpy
"""You take one mean and one variance for each feature, from all tokens of all sequences, as batch normalisation does.
Layer normalisation does it the other way: each token has its own, taken over its features, `axis=-1`."""

import numpy as np


def layer_norm(x, scale, shift, eps):
    mean = x.mean(axis=(0, 1), keepdims=True)
    variance = x.var(axis=(0, 1), keepdims=True)
    return scale * (x - mean) / np.sqrt(variance + eps) + shift

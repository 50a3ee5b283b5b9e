# framework: numpy
"""You multiply by `1 + scale`. Some models store their scale as a difference from 1, but here it is the factor itself."""

import numpy as np


def layer_norm(x, scale, shift, eps):
    centred = x - x.mean(axis=-1, keepdims=True)
    return (1 + scale) * centred / np.sqrt(x.var(axis=-1, keepdims=True) + eps) + shift

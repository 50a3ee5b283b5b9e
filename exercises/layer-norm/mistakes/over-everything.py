# framework: numpy
"""One mean and one variance are used for the whole array. Each token has its own: `axis=-1` and `keepdims=True`, in
both."""

import numpy as np


def layer_norm(x, scale, shift, eps):
    return scale * (x - x.mean()) / np.sqrt(x.var() + eps) + shift

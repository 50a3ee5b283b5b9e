# framework: numpy
"""Your rotation is right, but you write it into `x`, which the caller may still need. Leave `x` as it is: write into a new
array, such as `np.empty_like(x)`."""

import numpy as np


def rotary_position_embeddings(x, positions, base):
    theta = base ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])
    angle = positions[..., None] * theta
    even, odd = x[..., 0::2].copy(), x[..., 1::2].copy()
    x[..., 0::2] = even * np.cos(angle) - odd * np.sin(angle)
    x[..., 1::2] = even * np.sin(angle) + odd * np.cos(angle)
    return x

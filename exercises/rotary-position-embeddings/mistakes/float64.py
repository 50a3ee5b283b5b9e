# framework: numpy
"""The values are right, but the dtype is float64; `x` is float32. The angles are float64 in NumPy and take the product
with them: end with `.astype(np.float32)`."""

import numpy as np


def rotary_position_embeddings(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-np.arange(0, d, 2) / d)
    angle = positions[..., None] * theta
    cos, sin = np.cos(angle), np.sin(angle)
    even, odd = x[..., 0::2], x[..., 1::2]
    new_even = even * cos - odd * sin
    new_odd = even * sin + odd * cos
    return np.stack([new_even, new_odd], axis=-1).reshape(x.shape)

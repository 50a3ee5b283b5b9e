# framework: numpy
"""The values are right, but the dtype is float64; `x` is float32. The angles are float64 in NumPy and take the product
with them: end with `.astype(np.float32)`."""

import numpy as np


def rotate_halves(x, positions, rotary_dim, base):
    half = rotary_dim // 2
    theta = base ** (-np.arange(half) / half)
    angle = positions[:, None] * theta
    cos, sin = np.cos(angle), np.sin(angle)
    first, second, rest = x[..., :half], x[..., half:rotary_dim], x[..., rotary_dim:]
    new_first = first * cos - second * sin
    new_second = second * cos + first * sin
    return np.concatenate([new_first, new_second, rest], axis=-1)

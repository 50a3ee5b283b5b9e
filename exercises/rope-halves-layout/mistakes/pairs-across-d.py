# framework: numpy
"""You paired column `i` with column `i + d/2`. The halves are those of the first `rotary_dim` columns, so its partner
is column `i + rotary_dim / 2`."""

import numpy as np


def rotate_halves(x, positions, rotary_dim, base):
    half, middle = rotary_dim // 2, x.shape[-1] // 2
    theta = base ** (-np.arange(half) / half)
    angle = positions[:, None] * theta
    cos, sin = np.cos(angle), np.sin(angle)
    first, second = x[..., :half], x[..., middle : middle + half]
    out = x.copy()
    out[..., :half] = first * cos - second * sin
    out[..., middle : middle + half] = second * cos + first * sin
    return out

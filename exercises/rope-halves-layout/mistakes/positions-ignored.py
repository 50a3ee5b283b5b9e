# framework: numpy
"""You rotated the tokens at 0, 1, 2, … whatever `positions` says. Positions may start anywhere and repeat, so make the
angles from them."""

import numpy as np


def rotate_halves(x, positions, rotary_dim, base):
    half = rotary_dim // 2
    theta = base ** (-np.arange(half) / half)
    angle = np.arange(x.shape[2])[:, None] * theta
    cos, sin = np.cos(angle), np.sin(angle)
    first, second, rest = x[..., :half], x[..., half:rotary_dim], x[..., rotary_dim:]
    new_first = first * cos - second * sin
    new_second = second * cos + first * sin
    return np.concatenate([new_first, new_second, rest], axis=-1).astype(np.float32)

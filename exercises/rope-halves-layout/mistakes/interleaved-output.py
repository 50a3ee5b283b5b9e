# framework: numpy
"""The pairs are turned as they should be, but you wrote them side by side. Keep the order of `x`: all first numbers,
then all second numbers, then the columns that stay."""

import numpy as np


def rotate_halves(x, positions, rotary_dim, base):
    half = rotary_dim // 2
    theta = base ** (-np.arange(half) / half)
    angle = positions[:, None] * theta
    cos, sin = np.cos(angle), np.sin(angle)
    first, second, rest = x[..., :half], x[..., half:rotary_dim], x[..., rotary_dim:]
    new_first = first * cos - second * sin
    new_second = second * cos + first * sin
    return np.concatenate([np.stack([new_first, new_second], axis=-1).reshape(*x.shape[:-1], rotary_dim), rest], axis=-1).astype(np.float32)

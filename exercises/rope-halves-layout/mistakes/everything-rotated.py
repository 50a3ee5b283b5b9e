# framework: numpy
"""You rotated all `d` columns. Only the first `rotary_dim` turn, with pairs and angles of their own; the columns behind
them are returned as they are."""

import numpy as np


def rotate_halves(x, positions, rotary_dim, base):
    half = x.shape[-1] // 2
    theta = base ** (-np.arange(half) / half)
    angle = positions[:, None] * theta
    cos, sin = np.cos(angle), np.sin(angle)
    first, second, rest = x[..., :half], x[..., half : 2 * half], x[..., 2 * half :]
    new_first = first * cos - second * sin
    new_second = second * cos + first * sin
    return np.concatenate([new_first, new_second, rest], axis=-1).astype(np.float32)

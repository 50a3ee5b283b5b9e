# framework: numpy
"""Your speeds fall too slowly from pair to pair: the exponent of `base` is `-2i / rotary_dim`, and you used `-i /
rotary_dim`. With `half = rotary_dim // 2`, that is `-np.arange(half) / half`."""

import numpy as np


def rotate_halves(x, positions, rotary_dim, base):
    half = rotary_dim // 2
    theta = base ** (-np.arange(half) / rotary_dim)
    angle = positions[:, None] * theta
    cos, sin = np.cos(angle), np.sin(angle)
    first, second, rest = x[..., :half], x[..., half:rotary_dim], x[..., rotary_dim:]
    new_first = first * cos - second * sin
    new_second = second * cos + first * sin
    return np.concatenate([new_first, new_second, rest], axis=-1).astype(np.float32)

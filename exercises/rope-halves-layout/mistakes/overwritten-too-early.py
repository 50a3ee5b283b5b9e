# framework: numpy
"""Your second half was computed from a first half that had been turned already. Both formulas need the old numbers, so
read them from `x` and write into a copy."""

import numpy as np


def rotate_halves(x, positions, rotary_dim, base):
    half = rotary_dim // 2
    theta = base ** (-np.arange(half) / half)
    angle = positions[:, None] * theta
    cos, sin = np.cos(angle), np.sin(angle)
    out = x.copy()
    first, second = out[..., :half], out[..., half:rotary_dim]
    out[..., :half] = first * cos - second * sin
    out[..., half:rotary_dim] = second * cos + first * sin
    return out

# framework: numpy
import numpy as np


def rotate_halves(x, positions, rotary_dim, base):
    half = rotary_dim // 2
    theta = base ** (-np.arange(half) / half)                       # (half,)
    angle = positions[:, None] * theta                              # (T, half)
    cos, sin = np.cos(angle), np.sin(angle)
    first, second, rest = x[..., :half], x[..., half:rotary_dim], x[..., rotary_dim:]
    parts = [first * cos - second * sin, second * cos + first * sin, rest]
    return np.concatenate(parts, axis=-1).astype(np.float32)  # (N, H, T, d)

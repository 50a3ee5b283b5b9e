"""Rotary position embeddings in the halves layout of GPT-NeoX and LLaMA, on the first rotary_dim columns."""

import numpy as np


def rotate_halves(x, positions, rotary_dim, base):
    """Columns i and i + rotary_dim / 2 are turned by position * base ** (-2i / rotary_dim).

    >>> x = np.array([[[[1.0, 0.0, 7.0]]]], dtype=np.float32)
    >>> rotate_halves(x, np.array([1], dtype=np.int32), 2, 10000.0).round(4)
    array([[[[0.5403, 0.8415, 7.    ]]]], dtype=float32)
    """
    half = rotary_dim // 2
    theta = base ** (-np.arange(half) / half)                       # (half,)
    angle = positions[:, None] * theta                              # (T, half)
    cos, sin = np.cos(angle), np.sin(angle)                         # (T, half) each
    first, second = x[..., :half], x[..., half:rotary_dim]          # (N, H, T, half) each
    out = x.copy()                                                  # (N, H, T, d)
    out[..., :half] = first * cos - second * sin
    out[..., half:rotary_dim] = second * cos + first * sin
    return out

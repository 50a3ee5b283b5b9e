"""Rotary position embeddings with neighbouring columns as pairs, as in Su et al. 2021."""

import numpy as np


def rotary_position_embeddings(x, positions, base):
    """Columns 2i and 2i + 1 of each vector are turned by position * base ** (-2i / d).

    >>> x = np.array([[[1.0, 0.0]]], dtype=np.float32)
    >>> rotary_position_embeddings(x, np.array([[1]], dtype=np.int32), 10000.0).round(4)
    array([[[0.5403, 0.8415]]], dtype=float32)
    """
    d = x.shape[-1]
    theta = base ** (-np.arange(0, d, 2) / d)       # (d/2,)
    angle = positions[..., None] * theta            # (N, T, d/2)
    cos, sin = np.cos(angle), np.sin(angle)         # (N, T, d/2) each
    even, odd = x[..., 0::2], x[..., 1::2]          # (N, T, d/2) each
    out = np.empty_like(x)                          # (N, T, d) float32
    out[..., 0::2] = even * cos - odd * sin
    out[..., 1::2] = even * sin + odd * cos
    return out

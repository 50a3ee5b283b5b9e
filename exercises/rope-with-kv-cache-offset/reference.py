"""Rotary position embeddings for new tokens that continue a cache of rotated keys."""

import numpy as np


def rope_with_cache(q, k, cached_keys, base):
    """The new queries and keys, rotated to the positions S to S + T - 1; the new keys are appended to the cache.

    >>> new, cache = np.array([[[[1.0, 0.0]]]], dtype=np.float32), np.zeros((1, 1, 1, 2), dtype=np.float32)
    >>> rope_with_cache(new, new, cache, 10000.0)[0].round(4)
    array([[[[0.5403, 0.8415]]]], dtype=float32)
    """
    S = cached_keys.shape[2]
    T, d = q.shape[2:]
    positions = np.arange(S, S + T)                                     # (T,)
    angle = positions[:, None] * base ** (-np.arange(0, d, 2) / d)      # (T, d/2)
    keys = np.concatenate([cached_keys, rotate(k, angle)], axis=2)      # (N, H, S + T, d)
    return rotate(q, angle), keys


def rotate(x, angle):
    cos, sin = np.cos(angle), np.sin(angle)                             # (T, d/2) each
    even, odd = x[..., 0::2], x[..., 1::2]                              # (N, H, T, d/2) each
    out = np.empty_like(x)                                              # (N, H, T, d) float32
    out[..., 0::2] = even * cos - odd * sin
    out[..., 1::2] = even * sin + odd * cos
    return out

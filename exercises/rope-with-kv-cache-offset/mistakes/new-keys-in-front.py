# framework: numpy
"""Your new keys stand before the cached ones. The order is that of the text: first the cache, then the new keys."""

import numpy as np


def rotate(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-np.arange(0, d, 2) / d)
    angle = positions[:, None] * theta
    cos, sin = np.cos(angle), np.sin(angle)
    even, odd = x[..., 0::2], x[..., 1::2]
    return np.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1).reshape(x.shape).astype(np.float32)


def rope_with_cache(q, k, cached_keys, base):
    S, T = cached_keys.shape[2], q.shape[2]
    positions = np.arange(S, S + T)
    return rotate(q, positions, base), np.concatenate([rotate(k, positions, base), cached_keys], axis=2)

# framework: numpy
"""You took the offset from the wrong axis. The axes of the cache are sentence, head, token, column: its length in
tokens is `cached_keys.shape[2]`."""

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
    S = cached_keys.shape[1]
    positions = np.arange(S, S + T)
    return rotate(q, positions, base), np.concatenate([cached_keys, rotate(k, positions, base)], axis=2)

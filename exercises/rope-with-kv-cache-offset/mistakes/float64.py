# framework: numpy
"""The values are right, but at least one of your arrays is float64; all inputs are float32. The angles are float64 in
NumPy: cast what you rotate with `.astype(np.float32)`."""

import numpy as np


def rotate(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-np.arange(0, d, 2) / d)
    angle = positions[:, None] * theta
    cos, sin = np.cos(angle), np.sin(angle)
    even, odd = x[..., 0::2], x[..., 1::2]
    return np.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1).reshape(x.shape)


def rope_with_cache(q, k, cached_keys, base):
    S, T = cached_keys.shape[2], q.shape[2]
    positions = np.arange(S, S + T)
    return rotate(q, positions, base), np.concatenate([cached_keys, rotate(k, positions, base)], axis=2)

# framework: numpy
"""You added sines and cosines to the vectors, as sinusoidal encodings do. RoPE multiplies: each pair is turned, `even *
cos - odd * sin` and `even * sin + odd * cos`."""

import numpy as np


def rotary_position_embeddings(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-np.arange(0, d, 2) / d)
    angle = positions[..., None] * theta
    cos, sin = np.cos(angle), np.sin(angle)
    even, odd = x[..., 0::2], x[..., 1::2]
    new_even = even + sin
    new_odd = odd + cos
    return np.stack([new_even, new_odd], axis=-1).reshape(x.shape).astype(np.float32)

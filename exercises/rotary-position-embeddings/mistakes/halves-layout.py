# framework: numpy
"""You paired column `i` with column `i + d/2`, the halves layout. Here the pairs are neighbours: columns `2i` and `2i +
1`, that is `x[..., 0::2]` and `x[..., 1::2]`."""

import numpy as np


def rotary_position_embeddings(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-np.arange(0, d, 2) / d)
    angle = positions[..., None] * theta
    cos, sin = np.cos(angle), np.sin(angle)
    even, odd = np.split(x, 2, axis=-1)
    new_even = even * cos - odd * sin
    new_odd = even * sin + odd * cos
    return np.concatenate([new_even, new_odd], axis=-1).astype(np.float32)

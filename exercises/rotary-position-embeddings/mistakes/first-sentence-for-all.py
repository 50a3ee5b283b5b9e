# framework: numpy
"""Every sentence is rotated at the positions of the first one. Each sentence has its own, so keep the sentence axis:
`positions[..., None] * theta` has the shape `(N, T, d/2)`."""

import numpy as np


def rotary_position_embeddings(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-np.arange(0, d, 2) / d)
    angle = positions[0][:, None] * theta
    cos, sin = np.cos(angle), np.sin(angle)
    even, odd = x[..., 0::2], x[..., 1::2]
    new_even = even * cos - odd * sin
    new_odd = even * sin + odd * cos
    return np.stack([new_even, new_odd], axis=-1).reshape(x.shape).astype(np.float32)

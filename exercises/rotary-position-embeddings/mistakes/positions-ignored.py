# framework: numpy
"""Your output does not depend on `positions`: every sentence is rotated at 0, 1, 2, …. Positions may repeat, skip or
run backwards, so make the angles from the positions you are given."""

import numpy as np


def rotary_position_embeddings(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-np.arange(0, d, 2) / d)
    angle = np.arange(x.shape[1])[:, None] * theta
    cos, sin = np.cos(angle), np.sin(angle)
    even, odd = x[..., 0::2], x[..., 1::2]
    new_even = even * cos - odd * sin
    new_odd = even * sin + odd * cos
    return np.stack([new_even, new_odd], axis=-1).reshape(x.shape).astype(np.float32)

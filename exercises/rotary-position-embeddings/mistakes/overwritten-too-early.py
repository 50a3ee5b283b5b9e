# framework: numpy
"""Your odd columns were computed from even columns that had been turned already. Both formulas need the old numbers:
keep the results in new arrays, and do not write into `x`."""

import numpy as np


def rotary_position_embeddings(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-np.arange(0, d, 2) / d)
    angle = positions[..., None] * theta
    cos, sin = np.cos(angle), np.sin(angle)
    x[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
    x[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
    return x

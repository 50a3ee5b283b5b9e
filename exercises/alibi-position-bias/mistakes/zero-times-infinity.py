# framework: numpy
"""Your bias is NaN: a mask of zeros times infinity is not a number. Choose with `np.where(distance < 0, -np.inf, bias)`
in place of multiplying."""

import numpy as np


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = 2.0 ** (-8 * np.arange(1, heads + 1) / heads)
    distance = query_positions[:, None] - key_positions
    bias = -slopes[:, None, None] * distance
    return (bias + (distance < 0) * -np.inf).astype(np.float32)

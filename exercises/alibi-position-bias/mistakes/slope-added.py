# framework: numpy
"""You add the slope to the distance. They are multiplied: each step away costs one slope."""

import numpy as np


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = 2.0 ** (-8 * np.arange(1, heads + 1) / heads)
    distance = query_positions[:, None] - key_positions
    bias = -(slopes[:, None, None] + distance)
    return np.where(distance < 0, -np.inf, bias).astype(np.float32)

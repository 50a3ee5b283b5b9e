# framework: numpy
"""Your slopes are in reverse order. The first head is the steepest, and the slopes fall from head to head."""

import numpy as np


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = 2.0 ** (-8 * np.arange(heads, 0, -1) / heads)
    distance = query_positions[:, None] - key_positions
    bias = -slopes[:, None, None] * distance
    return np.where(distance < 0, -np.inf, bias).astype(np.float32)

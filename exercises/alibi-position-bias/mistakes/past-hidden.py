# framework: numpy
"""You hid the past and kept the future. `-inf` belongs where the key's position is larger than the query's, where query
minus key is below zero."""

import numpy as np


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = 2.0 ** (-8 * np.arange(1, heads + 1) / heads)
    distance = query_positions[:, None] - key_positions
    bias = -slopes[:, None, None] * distance
    return np.where(distance > 0, -np.inf, bias).astype(np.float32)

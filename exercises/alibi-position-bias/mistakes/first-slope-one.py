# framework: numpy
"""Your slopes begin one step too early, with 1. Heads count from zero in the array, but the first slope is `2 ** (-8 /
heads)`: use `np.arange(1, heads + 1)`."""

import numpy as np


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = 2.0 ** (-8 * np.arange(heads) / heads)
    distance = query_positions[:, None] - key_positions
    bias = -slopes[:, None, None] * distance
    return np.where(distance < 0, -np.inf, bias).astype(np.float32)

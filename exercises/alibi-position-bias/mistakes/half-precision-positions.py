# framework: numpy
"""Your positions are `float16` for a while, which rounds whole numbers beyond 2,048. Subtract them as integers, or as
`float32`, which is exact up to 16,777,216."""

import numpy as np


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = 2.0 ** (-8 * np.arange(1, heads + 1) / heads)
    distance = (query_positions.astype(np.float16)[:, None] - key_positions.astype(np.float16)).astype(np.float32)
    bias = -slopes[:, None, None] * distance
    return np.where(distance < 0, -np.inf, bias).astype(np.float32)

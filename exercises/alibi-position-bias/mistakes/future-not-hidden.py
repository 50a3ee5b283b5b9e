# framework: numpy
"""The past is right, but keys in the future have a finite bias, the same as those in the past. Causal attention must
not see them: put `-inf` where the key's position is larger than the query's."""

import numpy as np


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = 2.0 ** (-8 * np.arange(1, heads + 1) / heads)
    distance = query_positions[:, None] - key_positions
    bias = -slopes[:, None, None] * np.abs(distance)
    return bias.astype(np.float32)

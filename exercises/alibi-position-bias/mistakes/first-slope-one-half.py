# framework: numpy
"""Your slopes run from 1/2 to 1/256, whatever the number of heads. That is right for 8 heads only. The last slope is
always 1/256, but the first one depends on `heads`: see what the formula gives for head 0."""

import numpy as np


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = np.geomspace(1 / 2, 1 / 256, heads)
    distance = query_positions[:, None] - key_positions
    bias = -slopes[:, None, None] * distance
    return np.where(distance < 0, -np.inf, bias).astype(np.float32)

# framework: numpy
import numpy as np


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = (2.0 ** (-8 / heads)) ** np.arange(1, heads + 1)           # (heads,)
    distance = query_positions[:, None] - key_positions[None, :]        # (Q, K)
    bias = np.multiply.outer(-slopes, distance).astype(np.float32)      # (heads, Q, K)
    bias[:, distance < 0] = -np.inf
    return bias

"""ALiBi's bias for causal attention: a slope for each head, times the distance of each query and key."""

import numpy as np


def alibi_position_bias(query_positions, key_positions, heads):
    """-slope * (m - n) for a key at n that is not after the query at m, and -inf for one that is.

    >>> alibi_position_bias(np.array([3], dtype=np.int32), np.array([1, 3, 4], dtype=np.int32), 1)
    array([[[-0.0078125,  0.       ,       -inf]]], dtype=float32)
    """
    slopes = 2.0 ** (-8 * np.arange(1, heads + 1) / heads)              # (heads,)
    distance = query_positions[:, None] - key_positions                 # (Q, K): how far the key is behind
    bias = slopes[:, None, None] * -distance                            # (heads, Q, K)
    return np.where(distance < 0, -np.inf, bias).astype(np.float32)

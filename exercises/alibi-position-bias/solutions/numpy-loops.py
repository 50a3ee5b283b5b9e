# framework: numpy
import numpy as np


def alibi_position_bias(query_positions, key_positions, heads):
    bias = np.full((heads, len(query_positions), len(key_positions)), -np.inf, dtype=np.float32)
    for h in range(heads):
        slope = 2.0 ** (-8 * (h + 1) / heads)
        for i, m in enumerate(query_positions):
            for j, n in enumerate(key_positions):
                if n <= m:
                    bias[h, i, j] = -slope * (m - n)
    return bias

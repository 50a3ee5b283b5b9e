# framework: numpy
import math

import numpy as np


def add_positions(tokens, position_table, position_ids):
    N, T, d_model = tokens.shape
    out = np.empty_like(tokens)
    for n in range(N):
        for t in range(T):
            position = t if position_ids is None else position_ids[n, t]
            out[n, t] = math.sqrt(d_model) * tokens[n, t] + position_table[position]
    return out

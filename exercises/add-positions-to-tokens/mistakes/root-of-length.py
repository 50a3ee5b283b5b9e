# framework: numpy
"""Your factor is the root of `T`, the number of tokens. Take the last size of `tokens`: `d_model`."""

import numpy as np


def add_positions(tokens, position_table, position_ids):
    N, T, d_model = tokens.shape
    ids = np.arange(T) if position_ids is None else position_ids
    return T**0.5 * tokens + position_table[ids]

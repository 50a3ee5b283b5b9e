# framework: numpy
"""You multiply the tokens by `d_model`. The factor is its square root."""

import numpy as np


def add_positions(tokens, position_table, position_ids):
    N, T, d_model = tokens.shape
    ids = np.arange(T) if position_ids is None else position_ids
    return d_model * tokens + position_table[ids]

# framework: numpy
"""The position rows are scaled too. Multiply only the tokens by the square root of `d_model`, then add the rows."""

import numpy as np


def add_positions(tokens, position_table, position_ids):
    N, T, d_model = tokens.shape
    ids = np.arange(T) if position_ids is None else position_ids
    return d_model**0.5 * (tokens + position_table[ids])

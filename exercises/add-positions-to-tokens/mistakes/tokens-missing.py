# framework: numpy
"""You return the rows of the positions alone. Add the scaled tokens to them."""

import numpy as np


def add_positions(tokens, position_table, position_ids):
    N, T, d_model = tokens.shape
    ids = np.tile(np.arange(T), (N, 1)) if position_ids is None else position_ids
    return position_table[ids]

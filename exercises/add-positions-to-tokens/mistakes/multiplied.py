# framework: numpy
"""You multiply tokens and rows. Add the rows to the scaled tokens."""

import numpy as np


def add_positions(tokens, position_table, position_ids):
    N, T, d_model = tokens.shape
    ids = np.arange(T) if position_ids is None else position_ids
    return d_model**0.5 * tokens * position_table[ids]

# framework: numpy
"""Without ids you start at row 1. Positions count from 0: take `arange(T)`."""

import numpy as np


def add_positions(tokens, position_table, position_ids):
    N, T, d_model = tokens.shape
    ids = np.arange(1, T + 1) % len(position_table) if position_ids is None else position_ids
    return d_model**0.5 * tokens + position_table[ids]

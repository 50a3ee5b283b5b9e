# framework: numpy
"""The tokens are added as they came. Multiply them by the square root of `d_model` first."""

import numpy as np


def add_positions(tokens, position_table, position_ids):
    N, T, d_model = tokens.shape
    ids = np.arange(T) if position_ids is None else position_ids
    return tokens + position_table[ids]

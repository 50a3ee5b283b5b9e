# framework: numpy
"""The values are right, but the dtype is float64. `np.sqrt(d_model)` is a float64 scalar, and NumPy 2 lets it turn
the whole product into float64: write `d_model ** 0.5`, a Python float."""

import numpy as np


def add_positions(tokens, position_table, position_ids):
    N, T, d_model = tokens.shape
    ids = np.arange(T) if position_ids is None else position_ids
    return np.sqrt(d_model) * tokens + position_table[ids]

# framework: numpy
# verdict: runtime_error
"""An array of several numbers is neither true nor false, so `if position_ids` cannot be answered. Ask for what you
mean: `if position_ids is None`."""

import numpy as np


def add_positions(tokens, position_table, position_ids):
    N, T, d_model = tokens.shape
    if not position_ids:
        position_ids = np.arange(T)
    return d_model**0.5 * tokens + position_table[position_ids]

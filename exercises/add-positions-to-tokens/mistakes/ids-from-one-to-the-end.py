# framework: numpy
# verdict: runtime_error
"""Without ids you start at row 1, so every token gets the row after its own, and a sentence of `max_len` tokens asks for
a row that does not exist. Positions count from 0: take `arange(T)`."""

import numpy as np


def add_positions(tokens, position_table, position_ids):
    ids = np.arange(1, tokens.shape[1] + 1) if position_ids is None else position_ids
    return tokens.shape[2] ** 0.5 * tokens + position_table[ids]

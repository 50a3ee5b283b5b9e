# framework: numpy
"""You scaled the position rows instead of the tokens. The square root of `d_model` belongs to the tokens; the rows
are added as they are."""

import numpy as np


def add_positions(tokens, position_table, position_ids):
    N, T, d_model = tokens.shape
    ids = np.arange(T) if position_ids is None else position_ids
    return tokens + d_model**0.5 * position_table[ids]

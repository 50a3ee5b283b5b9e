# framework: numpy
"""The rows are placed behind the tokens, so each vector has twice as many numbers. Add them: the output is as wide
as the tokens."""

import numpy as np


def add_positions(tokens, position_table, position_ids):
    N, T, d_model = tokens.shape
    ids = np.tile(np.arange(T), (N, 1)) if position_ids is None else position_ids
    return np.concatenate([d_model**0.5 * tokens, position_table[ids]], axis=-1)

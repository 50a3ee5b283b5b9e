# framework: numpy
"""You divide the tokens by the square root of `d_model`, as attention does with its scores. Here it is a factor:
multiply."""

import numpy as np


def add_positions(tokens, position_table, position_ids):
    N, T, d_model = tokens.shape
    ids = np.arange(T) if position_ids is None else position_ids
    return tokens / np.float32(d_model**0.5) + position_table[ids]

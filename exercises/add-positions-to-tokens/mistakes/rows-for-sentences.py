# framework: numpy
"""Without ids you count sentences: all tokens of sentence `n` got row `n`. Positions run along the second axis, so
token `t` gets row `t` in every sentence."""

import numpy as np


def add_positions(tokens, position_table, position_ids):
    N, T, d_model = tokens.shape
    if position_ids is None:
        position_ids = np.arange(N)[:, None]
    return tokens * d_model**0.5 + position_table[position_ids]

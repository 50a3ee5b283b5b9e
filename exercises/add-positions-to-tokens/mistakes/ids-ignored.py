# framework: numpy
"""You always add rows 0, 1, 2, …, even if ids are given. Look up the rows of the ids:
`position_table[position_ids]`."""

import numpy as np


def add_positions(tokens, position_table, position_ids):
    N, T, d_model = tokens.shape
    return d_model**0.5 * tokens + position_table[:T]

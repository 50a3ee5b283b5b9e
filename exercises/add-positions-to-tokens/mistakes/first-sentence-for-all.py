# framework: numpy
"""Every sentence got the positions of the first. The ids differ from sentence to sentence: look up all of them,
`position_table[position_ids]`."""

import numpy as np


def add_positions(tokens, position_table, position_ids):
    N, T, d_model = tokens.shape
    ids = np.arange(T) if position_ids is None else position_ids
    return d_model**0.5 * tokens + position_table[ids[0] if ids.ndim == 2 else ids]

# framework: numpy
"""The tokens of all sentences stand in one row, `(N*T, V)`. Keep both axes: `(N, T, V)` and `(N, T, D)`."""

import numpy as np


def one_hot_lookup(ids, table):
    V = table.shape[0]
    one_hot = (ids.reshape(-1)[:, None] == np.arange(V)).astype(np.float32)
    return one_hot, one_hot @ table

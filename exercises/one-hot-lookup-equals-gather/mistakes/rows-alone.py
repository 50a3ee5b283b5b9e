# framework: numpy
"""You return one array. Return two: the one-hot rows, and their product with the table."""

import numpy as np


def one_hot_lookup(ids, table):
    V = table.shape[0]
    one_hot = (ids[..., None] == np.arange(V)).astype(np.float32)
    return one_hot @ table

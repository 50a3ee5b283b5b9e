# framework: numpy
"""Your one-hot rows hold true and false. They must be `float32`: convert them with `.astype(np.float32)`."""

import numpy as np


def one_hot_lookup(ids, table):
    V = table.shape[0]
    one_hot = ids[..., None] == np.arange(V)
    return one_hot, one_hot @ table

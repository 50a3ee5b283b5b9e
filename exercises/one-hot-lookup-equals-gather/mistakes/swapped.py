# framework: numpy
"""Both arrays are there, in the wrong order. Return the one-hot rows first, then the rows of the table."""

import numpy as np


def one_hot_lookup(ids, table):
    V = table.shape[0]
    one_hot = (ids[..., None] == np.arange(V)).astype(np.float32)
    return one_hot @ table, one_hot

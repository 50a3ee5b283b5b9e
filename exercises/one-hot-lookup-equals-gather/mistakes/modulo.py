# framework: numpy
"""Ids past the last row start again at row 0, as a remainder makes them. An id outside the table matches nothing:
its one-hot row is all zeros."""

import numpy as np


def one_hot_lookup(ids, table):
    V = table.shape[0]
    one_hot = (ids[..., None] % V == np.arange(V)).astype(np.float32)
    return one_hot, one_hot @ table

# framework: numpy
"""Ids outside the table have become the first or the last row: you clipped them. They match no row, and their
one-hot row is all zeros."""

import numpy as np


def one_hot_lookup(ids, table):
    V = table.shape[0]
    one_hot = np.eye(V, dtype=np.float32)[np.clip(ids, 0, V - 1)]
    return one_hot, one_hot @ table

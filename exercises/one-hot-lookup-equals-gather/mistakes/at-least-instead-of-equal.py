# framework: numpy
"""Your rows have more than a single 1: every entry up to the id is set. Compare with `==`, not with `>=`."""

import numpy as np


def one_hot_lookup(ids, table):
    V = table.shape[0]
    one_hot = (ids[..., None] >= np.arange(V)).astype(np.float32)
    return one_hot, one_hot @ table

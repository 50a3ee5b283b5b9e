# framework: numpy
"""Each bucket that has a row got the sum of all rows. Add to a bucket only the rows whose id it is."""

import numpy as np


def scatter_add_rows(rows, ids, K):
    out = np.zeros((K, rows.shape[1]), dtype=rows.dtype)
    out[ids] += rows.sum(axis=0)
    return out

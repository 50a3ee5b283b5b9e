# framework: numpy
"""Your result has no rows for empty buckets, as with `np.unique(ids)`. There are `K` buckets, and those without rows are
zero: begin with `np.zeros((K, D))`."""

import numpy as np


def scatter_add_rows(rows, ids, K):
    return np.stack([rows[ids == k].sum(axis=0) for k in np.unique(ids)])

"""A scatter-add: each row is added to the bucket that its id names."""

import numpy as np


def scatter_add_rows(rows, ids, K):
    """out[k] = sum of rows[n] over all n with ids[n] = k

    >>> rows = np.array([[1.0, 2.0], [10.0, 20.0], [100.0, 0.0]], dtype=np.float32)
    >>> scatter_add_rows(rows, np.array([1, 0, 1], dtype=np.int32), 3)
    array([[ 10.,  20.],
           [101.,   2.],
           [  0.,   0.]], dtype=float32)
    """
    out = np.zeros((K, rows.shape[1]), dtype=rows.dtype)    # (K, D)
    np.add.at(out, ids, rows)                               # one row after the other, so that repeated ids add up
    return out

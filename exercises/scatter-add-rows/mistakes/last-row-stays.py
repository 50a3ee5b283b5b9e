# framework: numpy
"""Where an id repeats, only the last of its rows is in your result. Add all of them:
`np.add.at(out, ids, rows)`. With `out[ids] += rows` all buckets are read before any is written."""

import numpy as np


def scatter_add_rows(rows, ids, K):
    out = np.zeros((K, rows.shape[1]), dtype=rows.dtype)
    out[ids] += rows
    return out

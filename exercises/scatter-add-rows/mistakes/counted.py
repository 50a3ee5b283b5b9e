# framework: numpy
"""You count the rows of each bucket. Sum the rows themselves."""

import numpy as np


def scatter_add_rows(rows, ids, K):
    counts = np.bincount(ids, minlength=K).astype(rows.dtype)
    return np.tile(counts[:, None], (1, rows.shape[1]))

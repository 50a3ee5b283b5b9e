# framework: numpy
"""You return None. `np.add.at(out, ids, rows)` changes `out` and returns nothing, so return `out` in a line of its own."""

import numpy as np


def scatter_add_rows(rows, ids, K):
    out = np.zeros((K, rows.shape[1]), dtype=rows.dtype)
    return np.add.at(out, ids, rows)

# framework: numpy
"""The sums are right, but the dtype has become float64. `np.zeros` makes float64 unless told otherwise: give it
`dtype=rows.dtype`."""

import numpy as np


def scatter_add_rows(rows, ids, K):
    out = np.zeros((K, rows.shape[1]))
    np.add.at(out, ids, rows)
    return out

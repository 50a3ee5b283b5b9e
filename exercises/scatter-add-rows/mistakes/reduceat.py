# framework: numpy
# verdict: runtime_error
"""`np.add.reduceat` cannot sum nothing: for an empty bucket it gives one row of the next bucket, and if that would be past
the last row it fails. Start from `K` rows of zeros and add with `np.add.at(out, ids, rows)`."""

import numpy as np


def scatter_add_rows(rows, ids, K):
    order = np.argsort(ids)
    starts = np.searchsorted(ids[order], np.arange(K))
    return np.add.reduceat(rows[order], starts, axis=0)

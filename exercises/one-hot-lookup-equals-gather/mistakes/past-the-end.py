# framework: numpy
# verdict: runtime_error
"""An id past the last row has no row in `np.eye(V)` either, so indexing fails. Compare the ids with `np.arange(V)`:
an id outside then matches nothing."""

import numpy as np


def one_hot_lookup(ids, table):
    V = table.shape[0]
    one_hot = np.eye(V, dtype=np.float32)[ids]
    return one_hot, one_hot @ table

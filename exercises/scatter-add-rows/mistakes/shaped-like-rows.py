# framework: numpy
# verdict: runtime_error
"""Your result has as many rows as the input, N, and fails where an id is larger. It has one row for each bucket: begin with
zeros of shape `(K, D)`."""

import numpy as np


def scatter_add_rows(rows, ids, K):
    out = np.zeros_like(rows)
    np.add.at(out, ids, rows)
    return out

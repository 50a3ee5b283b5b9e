# framework: numpy
"""The empty buckets at the end are missing: your result ends with the largest id. It must have `K` rows: begin with
zeros of shape `(K, D)`. JAX's `segment_sum` takes `num_segments=K`."""

import numpy as np


def scatter_add_rows(rows, ids, K):
    out = np.zeros((ids.max() + 1, rows.shape[1]), dtype=rows.dtype)
    np.add.at(out, ids, rows)
    return out

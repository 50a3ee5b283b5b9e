# framework: numpy
"""Right for ids from 0 on, but a negative id has wrapped around: `-1` became the last row. Compare the ids with
`arange(V)` as they are; then a negative id matches nothing."""

import numpy as np


def one_hot_lookup(ids, table):
    V = table.shape[0]
    wrapped = np.where(ids < 0, ids + V, ids)
    one_hot = (wrapped[..., None] == np.arange(V)).astype(np.float32)
    return one_hot, one_hot @ table

# framework: numpy
"""The axis of the table comes first in your one-hot array, `(V, N, T)`. Give the ids an axis at the end,
`ids[..., None]`, for the shape `(N, T, V)`."""

import numpy as np


def one_hot_lookup(ids, table):
    V = table.shape[0]
    one_hot = (ids == np.arange(V)[:, None, None]).astype(np.float32)
    return one_hot, np.einsum('vnt,vd->ntd', one_hot, table)

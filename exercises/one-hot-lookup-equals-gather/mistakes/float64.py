# framework: numpy
"""The one-hot rows are float64, as `np.zeros` and `np.eye` make them. Give the dtype `np.float32`; then the product
stays float32 too."""

import numpy as np


def one_hot_lookup(ids, table):
    V = table.shape[0]
    one_hot = (ids[..., None] == np.arange(V)).astype(np.float64)
    return one_hot, one_hot @ table

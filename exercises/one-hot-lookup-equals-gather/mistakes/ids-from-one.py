# framework: numpy
"""You compare with the numbers 1 to `V`. The rows of the table count from 0: `arange(V)`."""

import numpy as np


def one_hot_lookup(ids, table):
    V = table.shape[0]
    one_hot = (ids[..., None] == np.arange(1, V + 1)).astype(np.float32)
    return one_hot, one_hot @ table

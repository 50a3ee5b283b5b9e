# framework: numpy
# verdict: runtime_error
"""Your one-hot rows have `D` entries, the number of columns, and do not fit the product. An id picks a row, so they
have one entry for each of the `V` rows: `table.shape[0]`."""

import numpy as np


def one_hot_lookup(ids, table):
    D = table.shape[1]
    one_hot = (ids[..., None] == np.arange(D)).astype(np.float32)
    return one_hot, one_hot @ table

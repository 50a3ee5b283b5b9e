# framework: numpy
# verdict: runtime_error
"""The product is the wrong way round. The one-hot rows stand on the left, `one_hot @ table`: their last axis, `V`,
meets the first of the table."""

import numpy as np


def one_hot_lookup(ids, table):
    V = table.shape[0]
    one_hot = (ids[..., None] == np.arange(V)).astype(np.float32)
    return one_hot, table @ one_hot

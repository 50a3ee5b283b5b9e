# framework: numpy
"""You returned the gradient at the rows that were looked up, one for each token. The table has `max_len` rows: add
each token's gradient to the row that its id names."""

import numpy as np


def embedding_gradient(ids, upstream, max_len):
    gradient = np.zeros((max_len, upstream.shape[-1]), dtype=np.float32)
    return upstream

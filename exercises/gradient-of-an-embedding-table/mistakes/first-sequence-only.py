# framework: numpy
"""Only the first sequence reaches the table. The sum runs over all sequences and all tokens."""

import numpy as np


def embedding_gradient(ids, upstream, max_len):
    gradient = np.zeros((max_len, upstream.shape[-1]), dtype=np.float32)
    np.add.at(gradient, ids[0], upstream[0])
    return gradient

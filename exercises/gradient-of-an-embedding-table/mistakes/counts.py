# framework: numpy
"""You counted how often each row was used. Add up the gradients of the tokens that used it, `upstream[n, t]`, rather
than ones."""

import numpy as np


def embedding_gradient(ids, upstream, max_len):
    gradient = np.zeros((max_len, upstream.shape[-1]), dtype=np.float32)
    np.add.at(gradient, ids, np.float32(1))
    return gradient

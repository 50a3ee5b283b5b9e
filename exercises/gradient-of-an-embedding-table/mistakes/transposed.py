# framework: numpy
"""Your gradient has the shape `(d_model, max_len)`. It has the shape of the table, `(max_len, d_model)`: leave out the
transpose."""

import numpy as np


def embedding_gradient(ids, upstream, max_len):
    gradient = np.zeros((max_len, upstream.shape[-1]), dtype=np.float32)
    np.add.at(gradient, ids, upstream)
    return gradient.T

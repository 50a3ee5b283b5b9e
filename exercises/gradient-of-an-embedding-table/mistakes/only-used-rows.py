# framework: numpy
"""You return only the rows that were used. The gradient has the shape of the table: `max_len` rows, zeros where no
token was."""

import numpy as np


def embedding_gradient(ids, upstream, max_len):
    gradient = np.zeros((max_len, upstream.shape[-1]), dtype=np.float32)
    np.add.at(gradient, ids, upstream)
    return gradient[np.unique(ids)]

# framework: numpy
"""Your gradient ends with the largest id that was used. It has the shape of the table: `max_len` rows, zeros where no
token was."""

import numpy as np


def embedding_gradient(ids, upstream, max_len):
    gradient = np.zeros((ids.max() + 1, upstream.shape[-1]), dtype=np.float32)
    np.add.at(gradient, ids, upstream)
    return gradient

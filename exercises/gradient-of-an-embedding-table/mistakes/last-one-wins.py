# framework: numpy
"""Of the tokens that share a row, only the last one counts. `gradient[ids] += upstream` reads all rows before it
writes any: use `np.add.at(gradient, ids, upstream)`."""

import numpy as np


def embedding_gradient(ids, upstream, max_len):
    gradient = np.zeros((max_len, upstream.shape[-1]), dtype=np.float32)
    gradient[ids] += upstream
    return gradient

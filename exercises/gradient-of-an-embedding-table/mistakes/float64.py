# framework: numpy
"""The values are right, but the dtype is float64. NumPy's `zeros` and `eye` make float64 unless told otherwise: give
them `dtype=np.float32`."""

import numpy as np


def embedding_gradient(ids, upstream, max_len):
    gradient = np.zeros((max_len, upstream.shape[-1]))
    np.add.at(gradient, ids, upstream)
    return gradient

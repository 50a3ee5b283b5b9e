"""The backward pass of a lookup: every row of the table collects the gradients of the places that used it."""

import numpy as np


def embedding_gradient(ids, upstream, max_len):
    """gradient[v, :] = the sum of upstream[n, t, :] over all n, t with ids[n, t] == v

    >>> upstream = np.array([[[1.0, 2.0], [10.0, 20.0]]], dtype=np.float32)
    >>> embedding_gradient(np.array([[1, 1]], dtype=np.int32), upstream, 3)
    array([[ 0.,  0.],
           [11., 22.],
           [ 0.,  0.]], dtype=float32)
    """
    gradient = np.zeros((max_len, upstream.shape[-1]), dtype=np.float32)    # (max_len, d_model)
    np.add.at(gradient, ids, upstream)      # adds once for each id, also where an id repeats
    return gradient

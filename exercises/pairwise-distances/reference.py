"""Euclidean distances between two sets of points, all pairs at once by broadcasting."""

import numpy as np


def pairwise_distances(a, b):
    """out[n, m] = sqrt(sum over i of (a[n, i] - b[m, i]) ** 2)

    >>> a = np.array([[0.0, 0.0], [3.0, 4.0]], dtype=np.float32)
    >>> pairwise_distances(a, np.array([[3.0, 0.0]], dtype=np.float32))
    array([[3.],
           [4.]], dtype=float32)
    """
    differences = a[:, None, :] - b[None, :, :]         # (N, 1, D) - (1, M, D) -> (N, M, D)
    return np.sqrt((differences**2).sum(axis=-1))       # (N, M)

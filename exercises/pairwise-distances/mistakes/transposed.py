# framework: numpy
"""Your output has one row for each point of `b`, `(M, N)`. The rows belong to `a`: insert the new axis as
`a[:, None, :] - b[None, :, :]`, for the shape `(N, M)`."""

import numpy as np


def pairwise_distances(a, b):
    return np.sqrt(((b[:, None] - a) ** 2).sum(axis=-1))

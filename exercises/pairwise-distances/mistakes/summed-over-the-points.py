# framework: numpy
"""You sum over the points of `b`, axis 1, and keep the coordinates: `(N, D)`. Sum over the coordinates, the last axis."""

import numpy as np


def pairwise_distances(a, b):
    return np.sqrt(((a[:, None] - b) ** 2).sum(axis=1))

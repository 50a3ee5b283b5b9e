# framework: numpy
"""You return the largest difference in one coordinate. The Euclidean distance uses all coordinates: the root of the sum
of their squares."""

import numpy as np


def pairwise_distances(a, b):
    return np.abs(a[:, None] - b).max(axis=-1)

# framework: numpy
"""You add the absolute differences, which is the Manhattan distance. Square the differences, add them, and take the
root."""

import numpy as np


def pairwise_distances(a, b):
    return np.abs(a[:, None] - b).sum(axis=-1)

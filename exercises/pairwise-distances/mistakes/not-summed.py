# framework: numpy
"""Your output still has the coordinates, `(N, M, D)`: these are the absolute differences of each coordinate. Sum the
squares over the last axis before you take the root."""

import numpy as np


def pairwise_distances(a, b):
    return np.sqrt((a[:, None] - b) ** 2)

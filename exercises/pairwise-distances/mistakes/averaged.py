# framework: numpy
"""You average the squares, so that your distances are `sqrt(D)` times too small. Sum them."""

import numpy as np


def pairwise_distances(a, b):
    return np.sqrt(((a[:, None] - b) ** 2).mean(axis=-1))

# framework: numpy
"""You sum the differences and square the sum, so that positive and negative differences cancel. Square each difference
first, and then sum."""

import numpy as np


def pairwise_distances(a, b):
    return np.sqrt((a[:, None] - b).sum(axis=-1) ** 2)

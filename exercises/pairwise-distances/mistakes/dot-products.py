# framework: numpy
"""These are dot products: they are large where two vectors point the same way, and say nothing of the distance. Subtract
the points, square, sum, and take the root."""

import numpy as np


def pairwise_distances(a, b):
    return a @ b.T

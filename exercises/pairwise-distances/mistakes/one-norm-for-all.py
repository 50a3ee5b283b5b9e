# framework: numpy
"""You return one number, the norm of all differences together. Say over which axis the squares are summed: `axis=-1`."""

import numpy as np


def pairwise_distances(a, b):
    return np.linalg.norm(a[:, None] - b)

# framework: numpy
# verdict: runtime_error
"""You inserted the new axis behind the coordinates, where it does not separate the points. Put it between points and
coordinates: `a[:, None, :]`."""

import numpy as np


def pairwise_distances(a, b):
    return np.sqrt(((a[:, :, None] - b) ** 2).sum(axis=-1))

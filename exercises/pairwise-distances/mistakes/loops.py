# framework: numpy
# verdict: invalid_submission
"""A loop asks for one pair at a time. Insert axes of length 1 and let broadcasting pair all points at once."""

import numpy as np


def pairwise_distances(a, b):
    return np.array([[np.linalg.norm(p - q) for q in b] for p in a])

# framework: numpy
"""In the bidirectional case all keys after the query got bucket `B - 1`. You take the minimum after you add the start
of the upper half: take it first, then add the start."""

import numpy as np


def t5_relative_buckets(relative_positions, bidirectional, num_buckets, max_distance):
    if bidirectional:
        num_buckets //= 2
        start = (relative_positions > 0) * num_buckets
        distance = np.abs(relative_positions)
    else:
        start = 0
        distance = np.maximum(-relative_positions, 0)
    exact = num_buckets // 2
    growth = np.log(np.maximum(distance, exact) / exact) / np.log(max_distance / exact)
    far = exact + (growth * (num_buckets - exact)).astype(np.int32)
    return np.minimum(start + np.where(distance < exact, distance, far), num_buckets - 1).astype(np.int32)

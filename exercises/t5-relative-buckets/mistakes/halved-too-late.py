# framework: numpy
"""In the bidirectional case keys after the query start too far up: their buckets begin at half of `num_buckets`, and
yours at `num_buckets`. Halve it before you compute the start."""

import numpy as np


def t5_relative_buckets(relative_positions, bidirectional, num_buckets, max_distance):
    if bidirectional:
        start = (relative_positions > 0) * num_buckets
        distance = np.abs(relative_positions)
        num_buckets //= 2
    else:
        start = 0
        distance = np.maximum(-relative_positions, 0)
    exact = num_buckets // 2
    growth = np.log(np.maximum(distance, exact) / exact) / np.log(max_distance / exact)
    far = exact + (growth * (num_buckets - exact)).astype(np.int32)
    far = np.minimum(far, num_buckets - 1)
    return (start + np.where(distance < exact, distance, far)).astype(np.int32)

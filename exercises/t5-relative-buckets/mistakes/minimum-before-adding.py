# framework: numpy
"""Far distances got buckets past the last one. You take the minimum with `B - 1` before you add `e`: take it of the
sum."""

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
    far = (growth * (num_buckets - exact)).astype(np.int32)
    far = exact + np.minimum(far, num_buckets - 1)
    return (start + np.where(distance < exact, distance, far)).astype(np.int32)

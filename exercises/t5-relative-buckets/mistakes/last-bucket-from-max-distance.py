# framework: numpy
"""You spread the far buckets so that the last one begins at `max_distance`. In the formula it would begin there with
one bucket more: multiply by `B - e`, and let the minimum keep the result below `B`."""

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
    far = exact + (growth * (num_buckets - exact - 1)).astype(np.int32)
    far = np.minimum(far, num_buckets - 1)
    return (start + np.where(distance < exact, distance, far)).astype(np.int32)

# framework: numpy
"""You stretch the logarithm over as many buckets as there are exact ones. With an odd number of buckets, one more is left
for the far distances: multiply by `B - e`, not by `e`."""

import numpy as np


def t5_relative_buckets(relative_positions, bidirectional, num_buckets, max_distance):
    start, distance = 0, np.maximum(-relative_positions, 0)
    if bidirectional:
        num_buckets //= 2
        start, distance = (relative_positions > 0) * num_buckets, np.abs(relative_positions)
    exact = num_buckets // 2
    growth = np.log(np.maximum(distance, exact) / exact) / np.log(max_distance / exact)
    far = np.minimum(exact + (growth * exact).astype(np.int32), num_buckets - 1)
    return (start + np.where(distance < exact, distance, far)).astype(np.int32)

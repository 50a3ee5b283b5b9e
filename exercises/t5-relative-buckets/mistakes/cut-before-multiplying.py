# framework: numpy
"""All distances from `e` up to `max_distance` share one bucket in your answer. The quotient of the logarithms is below
1 there, and 0 once it is rounded down. Multiply it by `B - e` before you round."""

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
    far = exact + growth.astype(np.int32) * (num_buckets - exact)
    far = np.minimum(far, num_buckets - 1)
    return (start + np.where(distance < exact, distance, far)).astype(np.int32)

# framework: numpy
import numpy as np


def t5_relative_buckets(relative_positions, bidirectional, num_buckets, max_distance):
    start = np.zeros_like(relative_positions)
    distance = -relative_positions
    if bidirectional:
        num_buckets //= 2
        start[relative_positions > 0] = num_buckets
        distance = np.abs(distance)
    distance = np.maximum(distance, 0)
    exact = num_buckets // 2
    scale = (num_buckets - exact) / np.log(max_distance / exact)
    buckets = distance.copy()                                       # (T, S), right for the near ones
    far = distance >= exact
    buckets[far] = exact + np.floor(np.log(distance[far] / exact) * scale)
    return start + np.minimum(buckets, num_buckets - 1)             # int32, as all arrays here

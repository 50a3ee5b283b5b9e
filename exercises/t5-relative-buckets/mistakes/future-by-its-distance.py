# framework: numpy
"""In the causal case keys after the query got buckets by their distance, as if they came before it. All of them
belong to bucket 0: the distance is `max(-r, 0)`."""

import numpy as np


def t5_relative_buckets(relative_positions, bidirectional, num_buckets, max_distance):
    if bidirectional:
        num_buckets //= 2
        start = (relative_positions > 0) * num_buckets
        distance = np.abs(relative_positions)
    else:
        start = 0
        distance = np.abs(relative_positions)
    exact = num_buckets // 2
    growth = np.log(np.maximum(distance, exact) / exact) / np.log(max_distance / exact)
    far = exact + (growth * (num_buckets - exact)).astype(np.int32)
    far = np.minimum(far, num_buckets - 1)
    return (start + np.where(distance < exact, distance, far)).astype(np.int32)

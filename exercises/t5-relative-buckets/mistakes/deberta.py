# framework: numpy
"""Your far buckets are those of DeBERTa, a later model: it rounds up, and counts to `max_distance - 1`. T5 rounds down,
and uses `max_distance` and `B - e`."""

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
    growth = np.log(np.maximum(distance, exact) / exact) / np.log((max_distance - 1) / exact)
    far = exact + np.ceil(growth * (exact - 1)).astype(np.int32)
    far = np.minimum(far, num_buckets - 1)
    return (start + np.where(distance < exact, distance, far)).astype(np.int32)

# framework: numpy
import numpy as np


def t5_relative_buckets(relative_positions, bidirectional, num_buckets, max_distance):
    if bidirectional:
        num_buckets //= 2
        start = np.where(relative_positions > 0, num_buckets, 0)
        distance = np.abs(relative_positions)
    else:
        start, distance = 0, np.maximum(-relative_positions, 0)
    exact = num_buckets // 2
    steps = np.arange(1, num_buckets - exact) / (num_buckets - exact)
    far = exact * (max_distance / exact) ** steps                   # where buckets exact + 1, ... begin
    begins = np.concatenate([np.arange(1, exact + 1), far])
    return (start + np.searchsorted(begins, distance, side="right")).astype(np.int32)

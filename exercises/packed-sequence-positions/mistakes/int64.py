# framework: numpy
"""The positions are right, but your array is int64. `arange` makes that in NumPy: end with `.astype(np.int32)`."""

import numpy as np


def packed_positions(segment_ids):
    N, T = segment_ids.shape
    place = np.arange(T)
    starts = np.ones((N, T), dtype=bool)
    starts[:, 1:] = segment_ids[:, 1:] != segment_ids[:, :-1]
    start = np.maximum.accumulate(np.where(starts, place, 0), axis=1)
    return np.where(segment_ids == 0, 0, place - start)

# framework: numpy
"""The documents are right, but your padding is -1. Where the id is 0, the position is 0."""

import numpy as np


def packed_positions(segment_ids):
    N, T = segment_ids.shape
    place = np.arange(T)
    starts = np.ones((N, T), dtype=bool)
    starts[:, 1:] = segment_ids[:, 1:] != segment_ids[:, :-1]
    start = np.maximum.accumulate(np.where(starts, place, 0), axis=1)
    return np.where(segment_ids == 0, -1, place - start).astype(np.int32)

# framework: numpy
"""Your running maximum goes down the rows. Starts are carried on within a row: `np.maximum.accumulate(..., axis=1)`."""

import numpy as np


def packed_positions(segment_ids):
    N, T = segment_ids.shape
    place = np.arange(T)
    starts = np.ones((N, T), dtype=bool)
    starts[:, 1:] = segment_ids[:, 1:] != segment_ids[:, :-1]
    start = np.maximum.accumulate(np.where(starts, place, 0), axis=0)
    return np.where(segment_ids == 0, 0, place - start).astype(np.int32)

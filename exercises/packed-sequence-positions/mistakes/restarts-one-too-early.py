# framework: numpy
"""Your documents begin one token too early: you compared each token with the next one. A token begins a document if it
differs from the one before it."""

import numpy as np


def packed_positions(segment_ids):
    N, T = segment_ids.shape
    place = np.arange(T)
    starts = np.zeros((N, T), dtype=bool)
    starts[:, :-1] = segment_ids[:, :-1] != segment_ids[:, 1:]
    start = np.maximum.accumulate(np.where(starts, place, 0), axis=1)
    return np.where(segment_ids == 0, 0, place - start).astype(np.int32)

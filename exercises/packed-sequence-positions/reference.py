"""Positions that start again at zero with each document of a packed row."""

import numpy as np


def packed_positions(segment_ids):
    """How many tokens of the same document stand before each token; 0 for padding, whose id is 0.

    >>> packed_positions(np.array([[5, 5, 2, 0, 0]], dtype=np.int32))
    array([[0, 1, 0, 0, 0]], dtype=int32)
    """
    place = np.arange(segment_ids.shape[1])                                 # (T,)
    starts = np.ones(segment_ids.shape, dtype=bool)                         # (N, T): the first token always is one
    starts[:, 1:] = segment_ids[:, 1:] != segment_ids[:, :-1]
    start = np.maximum.accumulate(np.where(starts, place, 0), axis=1)       # (N, T): where the document started
    return np.where(segment_ids == 0, 0, place - start).astype(np.int32)

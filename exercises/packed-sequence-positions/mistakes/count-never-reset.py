# framework: numpy
"""Your count goes on from document to document: a running sum of “same as the token before” never falls back to 0 where
a document starts. Subtract from each token's place the place of the latest start."""

import numpy as np


def packed_positions(segment_ids):
    same = np.zeros_like(segment_ids)
    same[:, 1:] = segment_ids[:, 1:] == segment_ids[:, :-1]
    return np.where(segment_ids == 0, 0, np.cumsum(same, axis=1) * same).astype(np.int32)

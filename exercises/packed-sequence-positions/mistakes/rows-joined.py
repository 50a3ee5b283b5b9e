# framework: numpy
"""A document of yours continues in the next row when that begins with the same id. Each row is by itself: compare
within a row only, and let its first token always be a start."""

import numpy as np


def packed_positions(segment_ids):
    ids = segment_ids.reshape(-1)
    place = np.arange(ids.size)
    start = np.maximum.accumulate(np.where(np.diff(ids, prepend=-1) != 0, place, 0))
    return np.where(ids == 0, 0, place - start).reshape(segment_ids.shape).astype(np.int32)

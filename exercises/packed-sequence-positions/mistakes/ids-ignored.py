# framework: numpy
"""You count from the start of the row to its end. The count goes back to 0 wherever a new document begins, and padding
has position 0."""

import numpy as np


def packed_positions(segment_ids):
    N, T = segment_ids.shape
    return np.tile(np.arange(T, dtype=np.int32), (N, 1))

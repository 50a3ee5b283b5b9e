# framework: numpy
"""Your documents are in the order of their ids and not of the row: `np.unique` sorts, and it joins what has the same
id. Documents are runs in the row as it stands, with padding where it is."""

import numpy as np


def packed_positions(segment_ids):
    positions = []
    for row in segment_ids:
        ids, counts = np.unique(row, return_counts=True)
        positions.append([0 if i == 0 else p for i, count in zip(ids, counts) for p in range(count)])
    return np.array(positions, dtype=np.int32)

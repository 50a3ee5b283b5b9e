# framework: numpy
import numpy as np


def packed_positions(segment_ids):
    positions = np.zeros_like(segment_ids)
    N, T = segment_ids.shape
    for n in range(N):
        for t in range(1, T):
            if segment_ids[n, t] != 0 and segment_ids[n, t] == segment_ids[n, t - 1]:
                positions[n, t] = positions[n, t - 1] + 1
    return positions

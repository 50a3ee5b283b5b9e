"""Follows equations 4 and 5 of Shaw et al. 2018 (arXiv:1803.02155, section 3.2) by plain loops in float64."""

import math

import numpy as np


def expected(queries, keys, max_distance, table):
    H, T, d = queries.shape
    scores = np.empty((H, T, T))
    for h in range(H):
        for i in range(T):
            for j in range(T):
                clipped = max(-max_distance, min(max_distance, j - i))
                vector = table[max_distance + clipped].astype(np.float64)
                scores[h, i, j] = sum(queries[h, i].astype(np.float64) * (keys[h, j] + vector)) / math.sqrt(d)
    return scores.astype(np.float32)

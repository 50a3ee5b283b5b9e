"""Follows Press et al. 2022 (arXiv:2108.12409), section 3, in its words: the slopes are a geometric sequence that starts
at 2^(-8/n) and uses that same value as its ratio; each step from query to key costs one slope. Plain loops in float64."""

import math

import numpy as np


def expected(query_positions, key_positions, heads):
    rows = []
    ratio = 1 / math.pow(2, 8 / heads)
    slope = ratio
    for _ in range(heads):
        head = []
        for query in query_positions.tolist():
            head.append([slope * (key - query) if key <= query else -math.inf for key in key_positions.tolist()])
        rows.append(head)
        slope *= ratio
    return np.array(rows, dtype=np.float32)

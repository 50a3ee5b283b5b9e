# framework: numpy
"""You write into `scores` and then read from it what you have already overwritten. Make an array for the result first,
such as `np.zeros_like(scores)`."""

import numpy as np


def relative_shift(scores):
    heads, queries, keys = scores.shape
    for i in range(queries):
        for j in range(keys - 1, -1, -1):
            column = j + queries - 1 - i
            scores[:, i, j] = scores[:, i, column] if column < keys else 0.0
    return scores

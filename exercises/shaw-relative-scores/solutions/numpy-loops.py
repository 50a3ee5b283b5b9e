# framework: numpy
import numpy as np


def relative_scores(queries, keys, max_distance, table):
    H, T, d = queries.shape
    scores = np.empty((H, T, T), dtype=np.float32)
    for i in range(T):
        for j in range(T):
            row = max(-max_distance, min(max_distance, j - i)) + max_distance
            scores[:, i, j] = np.sum(queries[:, i] * (keys[:, j] + table[row]), axis=-1) / d**0.5
    return scores

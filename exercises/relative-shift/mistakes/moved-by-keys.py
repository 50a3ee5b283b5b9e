# framework: numpy
"""You move row `i` by `K - 1 - i`. That is right only without memory: count from the number of queries, `T - 1 -
i`."""

import numpy as np


def relative_shift(scores):
    H, T, K = scores.shape
    column = np.arange(K) + K - 1 - np.arange(T)[:, None]
    out = np.take_along_axis(scores, np.clip(column, 0, K - 1)[None], axis=2)
    return np.where((column >= 0) & (column < K), out, np.float32(0))

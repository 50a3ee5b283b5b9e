# framework: numpy
"""Your rows move to the right. The longest distances come first, and early queries have no keys that far away: row `i`
moves left by `T - 1 - i`."""

import numpy as np


def relative_shift(scores):
    H, T, K = scores.shape
    column = np.arange(K) - (T - 1) + np.arange(T)[:, None]
    out = np.take_along_axis(scores, np.clip(column, 0, K - 1)[None], axis=2)
    return np.where((column >= 0) & (column < K), out, np.float32(0))

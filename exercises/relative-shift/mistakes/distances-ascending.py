# framework: numpy
"""You read column `c` as the distance `c`. The longest distance comes first: column `c` is the distance `K - 1 -
c`."""

import numpy as np


def relative_shift(scores):
    H, T, K = scores.shape
    column = np.arange(T)[:, None] + K - T - np.arange(K)
    out = np.take_along_axis(scores, np.clip(column, 0, K - 1)[None], axis=2)
    return np.where((column >= 0) & (column < K), out, np.float32(0))

# framework: numpy
"""Your rows move by the right amount, but what leaves on the left comes back on the right. For keys after the query
the answer is 0."""

import numpy as np


def relative_shift(scores):
    H, T, K = scores.shape
    return np.stack([np.roll(scores[:, i], i - (T - 1), axis=1) for i in range(T)], axis=1)

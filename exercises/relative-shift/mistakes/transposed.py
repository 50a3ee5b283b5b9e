# framework: numpy
"""You transposed where you should reshape. A reshape leaves the numbers in their order in memory, and only cuts the
line into rows of another length: that is what shifts them."""

import numpy as np


def relative_shift(scores):
    H, T, K = scores.shape
    padded = np.concatenate([np.zeros((H, T, 1), np.float32), scores], axis=2)
    shifted = padded.transpose(0, 2, 1)[:, 1:].reshape(H, T, K)
    return np.tril(shifted, k=K - T)

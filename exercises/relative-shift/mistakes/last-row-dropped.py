# framework: numpy
"""You dropped the last row of the reshaped array. Drop the first: the numbers move to the front by `T` places."""

import numpy as np


def relative_shift(scores):
    H, T, K = scores.shape
    padded = np.concatenate([np.zeros((H, T, 1), np.float32), scores], axis=2)
    shifted = padded.reshape(H, K + 1, T)[:, :-1].reshape(H, T, K)
    return np.tril(shifted, k=K - T)

# framework: numpy
"""You set each query's own key to 0, too. It has the distance 0 and stays: the diagonal is `k=K - T`."""

import numpy as np


def relative_shift(scores):
    H, T, K = scores.shape
    padded = np.concatenate([np.zeros((H, T, 1), np.float32), scores], axis=2)
    shifted = padded.reshape(H, K + 1, T)[:, 1:].reshape(H, T, K)
    return np.tril(shifted, k=K - T - 1)

# framework: numpy
"""Later keys are a large negative number in your answer, as a mask for the softmax would make them. Here they are 0."""

import numpy as np


def relative_shift(scores):
    H, T, K = scores.shape
    padded = np.concatenate([np.zeros((H, T, 1), np.float32), scores], axis=2)
    shifted = padded.reshape(H, K + 1, T)[:, 1:].reshape(H, T, K)
    return np.where(np.tri(T, K, K - T, dtype=bool), shifted, np.float32(-1e9))

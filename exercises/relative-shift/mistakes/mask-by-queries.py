# framework: numpy
"""You keep keys up to `i + T - 1`: later keys too if there is little memory, and too few if there is much. Query `i`
sits at place `i + K - T`, and that is its last key."""

import numpy as np


def relative_shift(scores):
    H, T, K = scores.shape
    padded = np.concatenate([np.zeros((H, T, 1), np.float32), scores], axis=2)
    shifted = padded.reshape(H, K + 1, T)[:, 1:].reshape(H, T, K)
    return np.tril(shifted, k=T - 1)

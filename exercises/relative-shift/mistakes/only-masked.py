# framework: numpy
"""Nothing has moved: you only set later keys to 0. Row `i` moves left by `T - 1 - i`, since its columns stand for
distances. If you pad and reshape, drop the first row of `(H, K + 1, T)`, not the column that you put in."""

import numpy as np


def relative_shift(scores):
    H, T, K = scores.shape
    padded = np.concatenate([np.zeros((H, T, 1), np.float32), scores], axis=2)
    shifted = padded.reshape(H, K + 1, T)[:, 1:].reshape(H, T, K)
    return np.tril(scores, k=K - T)

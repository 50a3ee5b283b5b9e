"""The relative shift of Transformer-XL: columns that stand for distances become columns that stand for keys."""

import numpy as np


def relative_shift(scores):
    """out[h, i, j] = scores[h, i, j + T - 1 - i] if there is such a column, else 0

    >>> scores = np.array([[[12, 11, 10], [22, 21, 20], [32, 31, 30]]], dtype=np.float32)
    >>> relative_shift(scores)
    array([[[10.,  0.,  0.],
            [21., 20.,  0.],
            [32., 31., 30.]]], dtype=float32)
    """
    H, T, K = scores.shape
    padded = np.concatenate([np.zeros((H, T, 1), np.float32), scores], axis=2)  # (H, T, K + 1)
    shifted = padded.reshape(H, K + 1, T)[:, 1:].reshape(H, T, K)               # row i moves left by T - 1 - i
    return np.tril(shifted, k=K - T)                                            # 0 for keys after the query

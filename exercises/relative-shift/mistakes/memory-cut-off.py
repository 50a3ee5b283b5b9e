# framework: numpy
"""You keep only keys `j <= i`, as if there were no memory. The queries are the last `T` places, so query `i` sees keys
up to `i + K - T`: use `tril` with `k=K - T`."""

import numpy as np


def relative_shift(scores):
    H, T, K = scores.shape
    padded = np.concatenate([np.zeros((H, T, 1), np.float32), scores], axis=2)
    shifted = padded.reshape(H, K + 1, T)[:, 1:].reshape(H, T, K)
    return np.tril(shifted)

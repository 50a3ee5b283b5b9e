# framework: numpy
"""The keys up to each query are right, but for later keys you return scores that belong to the next query. Set them to
0, for example with `tril(…, k=K - T)`."""

import numpy as np


def relative_shift(scores):
    H, T, K = scores.shape
    padded = np.concatenate([np.zeros((H, T, 1), np.float32), scores], axis=2)
    shifted = padded.reshape(H, K + 1, T)[:, 1:].reshape(H, T, K)
    return shifted

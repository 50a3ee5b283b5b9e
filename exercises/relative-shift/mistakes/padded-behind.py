# framework: numpy
"""Your rows move one place too far to the left. The last row stays, and row `i` moves by `T - 1 - i`; if you pad, put
the zeros in front of each row, not behind it."""

import numpy as np


def relative_shift(scores):
    H, T, K = scores.shape
    padded = np.concatenate([scores, np.zeros((H, T, 1), np.float32)], axis=2)
    shifted = padded.reshape(H, K + 1, T)[:, 1:].reshape(H, T, K)
    return np.tril(shifted, k=K - T)

# framework: numpy
"""Numbers of one head moved into the next. Keep the heads apart: reshape to `(H, K + 1, T)`, and drop a row in
each."""

import numpy as np


def relative_shift(scores):
    H, T, K = scores.shape
    padded = np.concatenate([np.zeros((H, T, 1), np.float32), scores], axis=2)
    shifted = padded.reshape(-1)[T : T + H * T * K].reshape(H, T, K)
    return np.tril(shifted, k=K - T)

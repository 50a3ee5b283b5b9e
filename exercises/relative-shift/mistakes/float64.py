# framework: numpy
"""The values are right, but the dtype is float64. NumPy's `zeros` makes float64 unless told otherwise: give it
`np.float32`."""

import numpy as np


def relative_shift(scores):
    H, T, K = scores.shape
    padded = np.concatenate([np.zeros((H, T, 1)), scores], axis=2)
    shifted = padded.reshape(H, K + 1, T)[:, 1:].reshape(H, T, K)
    return np.tril(shifted, k=K - T)

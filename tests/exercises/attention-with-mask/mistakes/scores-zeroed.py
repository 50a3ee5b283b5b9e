"""A masked score of 0 is still a score: $e^0$ is 1. A weight of 0 needs a score of `-inf`."""

import numpy as np


def attention(q, k, v, mask=None):
    scores = q @ k.T / np.sqrt(np.float32(q.shape[1]))  # (T, T)
    if mask is not None:
        scores = np.where(mask, scores, np.float32(0))
    e = np.exp(scores - scores.max(axis=1, keepdims=True))  # (T, T)
    weights = e / e.sum(axis=1, keepdims=True)  # (T, T), rows that sum to one
    return weights @ v  # (T, E)

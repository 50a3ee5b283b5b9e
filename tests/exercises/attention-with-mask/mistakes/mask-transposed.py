"""Rows and columns of the mask are swapped: `mask[i, j]` says whether token `i` may look at token `j`."""

import numpy as np


def attention(q, k, v, mask=None):
    scores = q @ k.T / np.sqrt(np.float32(q.shape[1]))  # (T, T)
    if mask is not None:
        scores = np.where(mask.T, scores, np.float32(-np.inf))
    e = np.exp(scores - scores.max(axis=1, keepdims=True))  # (T, T)
    weights = e / e.sum(axis=1, keepdims=True)  # (T, T), rows that sum to one
    return weights @ v  # (T, E)

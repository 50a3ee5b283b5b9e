# framework: numpy
"""The hidden scores are exactly -1e9, and a score may be further below zero than that. Use minus infinity, `-np.inf` or
`float("-inf")`."""

import numpy as np


def causal_mask(scores):
    T = scores.shape[-1]
    return np.where(np.triu(np.ones((T, T), dtype=bool), k=1), np.float32(-1e9), scores)

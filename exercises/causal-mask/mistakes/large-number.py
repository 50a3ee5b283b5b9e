# framework: numpy
"""The hidden scores are about -1e9, and a score may be further below zero than that. Use minus infinity, `-np.inf` or
`float("-inf")`."""

import numpy as np


def causal_mask(scores):
    T = scores.shape[-1]
    return scores + np.triu(np.full((T, T), -1e9, dtype=scores.dtype), k=1)

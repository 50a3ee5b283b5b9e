# framework: numpy
# verdict: runtime_error
"""Your mask has the wrong size, as when `T` is taken from `len(scores)` or `shape[1]`: those are batch and heads. The
tokens are the last axis, `scores.shape[-1]`."""

import numpy as np


def causal_mask(scores):
    T = scores.shape[1]
    return scores + np.triu(np.full((T, T), -np.inf, dtype=scores.dtype), k=1)

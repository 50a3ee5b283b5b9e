# framework: numpy
# verdict: runtime_error
"""You index the first axes of `scores`, batch and heads, with a mask of the last two. Write `scores[..., mask]`, on a copy,
or let broadcasting line them up: `np.where(mask, -np.inf, scores)`."""

import numpy as np


def causal_mask(scores):
    T = scores.shape[-1]
    out = scores.copy()
    out[np.triu(np.ones((T, T), dtype=bool), k=1)] = -np.inf
    return out

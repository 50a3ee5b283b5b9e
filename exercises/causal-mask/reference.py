"""The causal mask: 0 where a query may look, minus infinity at every later key."""

import numpy as np


def causal_mask(scores):
    """out[b, h, q, k] = scores[b, h, q, k] where k <= q, -inf where k > q

    >>> causal_mask(np.array([[[[0.5, 1.5], [2.5, 3.5]]]], dtype=np.float32))
    array([[[[ 0.5, -inf],
             [ 2.5,  3.5]]]], dtype=float32)
    """
    T = scores.shape[-1]
    hidden = np.full((T, T), -np.inf, dtype=scores.dtype)       # (T, T)
    return scores + np.triu(hidden, k=1)                        # (B, H, T, T): zeros up to the diagonal, -inf above it

# framework: numpy
"""You hide what should be visible and show what should be hidden: your mask is turned around. Hide where the key is later
than the query. In PyTorch, `masked_fill` fills where its mask is true."""

import numpy as np


def causal_mask(scores):
    T = scores.shape[-1]
    return np.where(np.tril(np.ones((T, T), dtype=bool)), np.float32(-np.inf), scores)

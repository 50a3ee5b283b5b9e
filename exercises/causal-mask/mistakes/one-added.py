# framework: numpy
"""You add 1 or 0 to the scores: a mask of ones and booleans hides nothing when it is added. Add minus infinity where a
token may not look, and 0 elsewhere."""

import numpy as np


def causal_mask(scores):
    T = scores.shape[-1]
    return scores + np.tril(np.ones((T, T), dtype=scores.dtype))

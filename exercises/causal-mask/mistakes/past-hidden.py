# framework: numpy
"""You hide the past and show the future. Rows are queries and columns are keys, so the later keys are above the
diagonal: `triu` with `k=1`, not `tril`."""

import numpy as np


def causal_mask(scores):
    T = scores.shape[-1]
    return scores + np.tril(np.full((T, T), -np.inf, dtype=scores.dtype), k=-1)

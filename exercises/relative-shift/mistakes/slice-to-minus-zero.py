# framework: numpy
# verdict: runtime_error
"""A row that does not move has the amount 0, and there the slice `:-0` is empty, not the whole row. Count the end of
the slice from the front."""

import numpy as np


def relative_shift(scores):
    H, T, K = scores.shape
    out = np.zeros_like(scores)
    for i in range(T):
        amount = T - 1 - i
        out[:, i, :-amount] = scores[:, i, amount:]
    return out

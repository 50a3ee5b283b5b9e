# framework: numpy
"""You return `T` numbers, one for each row or column of the scores. Pairs with the same distance lie on a diagonal, and
there are `2 * T - 1` of those: `np.diagonal(scores, distance)`."""

import numpy as np


def rope_relative_check(q, k, rotated_q, rotated_k, base):
    scores = rotated_q @ rotated_k.T
    spread = scores.max(axis=1) - scores.min(axis=1)
    return {"spread": spread, "error": np.abs(scores - q @ k).max(axis=1)}

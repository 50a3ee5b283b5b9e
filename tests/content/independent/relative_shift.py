"""Follows the definition by distances of Dai et al. 2019 (arXiv:1901.02860), appendix B, by plain loops: the score of
query i for key j is the one at the distance i + (K - T) - j, and column c of the input holds the distance K - 1 - c."""

import numpy as np


def expected(scores):
    H, T, K = scores.shape
    out = np.zeros_like(scores)
    for h in range(H):
        for i in range(T):
            at_distance = {K - 1 - c: scores[h, i, c] for c in range(K)}
            for j in range(K):
                out[h, i, j] = at_distance.get(i + (K - T) - j, 0)
    return out

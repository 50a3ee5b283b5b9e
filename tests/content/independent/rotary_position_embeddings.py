"""Follows Su et al. 2021 (arXiv:2104.09864), section 3.2.2: the rotation as a block-diagonal d by d matrix, multiplied
with each vector in float64."""

import math

import numpy as np


def expected(x, positions, base):
    N, T, d = x.shape
    out = np.zeros((N, T, d))
    for n in range(N):
        for t in range(T):
            matrix = np.zeros((d, d))
            for i in range(d // 2):
                angle = int(positions[n, t]) * math.pow(base, -2 * i / d)
                matrix[2 * i, 2 * i] = matrix[2 * i + 1, 2 * i + 1] = math.cos(angle)
                matrix[2 * i, 2 * i + 1] = -math.sin(angle)
                matrix[2 * i + 1, 2 * i] = math.sin(angle)
            out[n, t] = matrix @ x[n, t].astype(np.float64)
    return out.astype(np.float32)

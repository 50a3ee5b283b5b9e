# framework: numpy
"""`M ** k` raises each entry by itself to the power `k`; it does not apply the matrix `k` times. Multiply the angles by
`k` instead, or use `np.linalg.matrix_power`, which also takes negative powers."""

import numpy as np


def relative_rotation(k, d_model, base):
    one = np.zeros((d_model, d_model), np.float32)
    for i in range(0, d_model, 2):
        angle = base ** (-i / d_model)
        one[i, i] = one[i + 1, i + 1] = np.cos(angle)
        one[i, i + 1], one[i + 1, i] = np.sin(angle), -np.sin(angle)
    return one**k

# framework: numpy
"""Your matrix works for one position only: it depends on the row that you fitted it to. Take the four numbers of
each block from the addition formulas, which hold for every $t$."""

import numpy as np


def relative_rotation(k, d_model, base):
    omega = base ** (-np.arange(0, d_model, 2) / d_model)

    def row(t):
        return np.stack([np.sin(omega * t), np.cos(omega * t)], -1).reshape(-1)

    return np.outer(row(1 + k), row(1) / (row(1) @ row(1))).astype(np.float32)

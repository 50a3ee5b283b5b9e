"""Vaswani et al. 2017, section 3.5: the matrix is solved from the table itself. For each pair of columns, least squares
in float64 finds the 2 x 2 block that takes rows t to rows t + k."""

from typing import Any

import numpy as np


def expected(k: int, d_model: int, base: float) -> Any:
    matrix = np.zeros((d_model, d_model))
    for column in range(0, d_model, 2):
        omega = base ** (-column / d_model)
        turns = np.linspace(0.0, 2 * np.pi, 9) / omega  # (9,) positions t, over one full turn
        before = np.stack([np.sin(omega * turns), np.cos(omega * turns)], axis=1)  # (9, 2)
        after = np.stack([np.sin(omega * (turns + k)), np.cos(omega * (turns + k))], axis=1)  # (9, 2)
        block = np.linalg.lstsq(before, after, rcond=None)[0].T  # after = before @ block.T
        matrix[column : column + 2, column : column + 2] = block
    return matrix.astype(np.float32)

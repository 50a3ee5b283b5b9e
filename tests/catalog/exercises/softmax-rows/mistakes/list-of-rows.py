# framework: numpy
"""The rows come back in a Python list. Make one array of shape `(N, C)` from them: `np.stack(rows)`, or fill an
array made with `np.empty_like(x)`."""

import numpy as np


def solve(x):
    rows = []
    for row in x:
        e = np.exp(row - row.max())
        rows.append(e / e.sum())
    return rows

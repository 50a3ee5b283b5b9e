# framework: numpy
# verdict: runtime_error
"""Your sum has the shape `(N,)`, which is matched with the columns and fails unless N equals C. Keep its axis:
`e.sum(axis=-1, keepdims=True)` is `(N, 1)`."""

import numpy as np


def solve(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1)

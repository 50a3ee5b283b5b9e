# framework: numpy
# verdict: runtime_error
"""A maximum or sum of shape `(N,)` is matched with the columns, which fails unless N equals C. Keep the axis,
`keepdims=True`, in both, so that it is `(N, 1)`."""

import numpy as np


def solve(x):
    e = np.exp(x - x.max(axis=-1))
    return e / e.sum(axis=-1)

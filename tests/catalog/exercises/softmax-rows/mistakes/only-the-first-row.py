# framework: numpy
"""Only the first row comes back, of shape `(C,)`: a `return` inside the loop ends it. Collect all N rows first, or work
on the whole array along `axis=-1`."""

import numpy as np


def solve(x):
    for row in x:
        e = np.exp(row - row.max())
        return e / e.sum()

# framework: numpy
"""Your scores are cut off near 700, as `np.clip` does, so that 1000 and 1002 become equal. Only differences within a
row count: subtract the row's maximum instead, which loses none of them."""

import numpy as np


def solve(x):
    e = np.exp(np.clip(x, -700, 700))
    return e / e.sum(axis=-1, keepdims=True)

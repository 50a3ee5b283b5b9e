# framework: numpy
"""The smallest score gets the largest weight: there is one minus sign too many in the exponent. Take `exp(x - m)`
with `m` the row's maximum."""

import numpy as np


def solve(x):
    e = np.exp(x.min(axis=-1, keepdims=True) - x)
    return e / e.sum(axis=-1, keepdims=True)

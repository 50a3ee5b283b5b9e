# framework: numpy
"""You divide the scores themselves by their sum, which leaves negative weights and can divide by zero. Take `exp` of
the scores first."""

import numpy as np


def solve(x):
    return x / x.sum(axis=-1, keepdims=True)

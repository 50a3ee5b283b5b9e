# framework: numpy
"""You used `2 ** (-8 * h / n_heads)` for every number of heads. That is the rule for powers of two only: for other
numbers, take the slopes of the power of two below, and then every second one of twice that power."""

import numpy as np


def alibi_slopes(n_heads):
    h = np.arange(1, n_heads + 1)
    return (2.0 ** (-8 * h / n_heads)).astype(np.float32)

# framework: numpy
"""Your extra slopes begin in the middle of those for `2 * p` heads, at number `p + 1`, and none is left out. Step 2
begins at the 1st, the steepest, and takes every second one."""

import numpy as np


def geometric(p):
    return 2.0 ** (-8 * np.arange(1, p + 1) / p)


def alibi_slopes(n_heads):
    p = 1 << (n_heads.bit_length() - 1)
    return np.concatenate([geometric(p), geometric(2 * p)[p:n_heads]]).astype(np.float32)

# framework: numpy
"""You started from the nearest power of two, which may be larger than `n_heads`. Round the logarithm down, `2 **
int(np.log2(n_heads))`, and add slopes to that."""

import numpy as np


def geometric(p):
    return 2.0 ** (-8 * np.arange(1, p + 1) / p)


def alibi_slopes(n_heads):
    p = 2 ** round(np.log2(n_heads))
    slopes = np.concatenate([geometric(p), geometric(2 * p)[0::2]])
    return slopes[:n_heads].astype(np.float32)

# framework: numpy
"""Your `p` is the largest power of two that divides `n_heads`, so it is 1 for an odd number and 4 for 12. It has to
be the largest that is at most `n_heads`. With your `p`, there are not even enough slopes."""

import numpy as np


def geometric(p):
    return 2.0 ** (-8 * np.arange(1, p + 1) / p)


def alibi_slopes(n_heads):
    p = n_heads & -n_heads
    return np.concatenate([geometric(p), geometric(2 * p)[0::2][: n_heads - p]]).astype(np.float32)

# framework: numpy
"""You counted the heads from 0, so the first slope is 1. In the formula they count from 1: the first slope of `p`
heads is `2 ** (-8 / p)`, and the last is always `2 ** -8`."""

import numpy as np


def geometric(p):
    return 2.0 ** (-8 * np.arange(p) / p)


def alibi_slopes(n_heads):
    p = 1 << (n_heads.bit_length() - 1)
    return np.concatenate([geometric(p), geometric(2 * p)[0::2][: n_heads - p]]).astype(np.float32)

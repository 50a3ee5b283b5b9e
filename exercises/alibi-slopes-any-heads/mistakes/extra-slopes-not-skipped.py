# framework: numpy
"""Your extra slopes are the first ones for `2 * p` heads, without skipping any. Every second of those is among your
first `p` slopes already: take the 1st, 3rd, 5th, …, as `[0::2]` does."""

import numpy as np


def geometric(p):
    return 2.0 ** (-8 * np.arange(1, p + 1) / p)


def alibi_slopes(n_heads):
    p = 1 << (n_heads.bit_length() - 1)
    return np.concatenate([geometric(p), geometric(2 * p)[: n_heads - p]]).astype(np.float32)

# framework: numpy
"""What you take for the largest power of two is `n_heads` without its lowest bit. That is a power of two for 3, 6 and 12,
but not for 7, 11 or 14: remove bits until one is left."""

import numpy as np


def alibi_slopes(n_heads):
    p = n_heads & (n_heads - 1) or n_heads
    own = 2.0 ** (-8.0 * np.arange(1, p + 1) / p)
    between = 2.0 ** (-8.0 * np.arange(1, 2 * p + 1) / (2 * p))
    return np.concatenate([own, between[::2][: n_heads - p]]).astype(np.float32)

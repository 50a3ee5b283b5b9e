# framework: numpy
"""You return only the `p` slopes of the power of two, fewer than `n_heads`. Add the `n_heads - p` that are missing:
the 1st, 3rd, 5th, … slope for `2 * p` heads."""

import numpy as np


def alibi_slopes(n_heads):
    p = 1 << (n_heads.bit_length() - 1)
    h = np.arange(1, p + 1)
    return (2.0 ** (-8 * h / p)).astype(np.float32)

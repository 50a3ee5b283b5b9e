# framework: numpy
"""The exponents of your extra slopes are twice too large. They are slopes for `2 * p` heads, so divide the odd
numbers by `2 * p`."""

import numpy as np


def alibi_slopes(n_heads):
    p = 1 << (n_heads.bit_length() - 1)
    own = np.arange(1, p + 1) / p
    between = (2 * np.arange(n_heads - p) + 1) / p
    return (2.0 ** (-8 * np.concatenate([own, between]))).astype(np.float32)

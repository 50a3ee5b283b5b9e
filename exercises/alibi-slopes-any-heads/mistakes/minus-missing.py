# framework: numpy
"""Your slopes are above 1 and grow: the exponent has lost its minus. It is `-8 * h / p`."""

import numpy as np


def alibi_slopes(n_heads):
    p = 1 << (n_heads.bit_length() - 1)
    own = np.arange(1, p + 1) / p
    between = (2 * np.arange(n_heads - p) + 1) / (2 * p)
    return (2.0 ** (8 * np.concatenate([own, between]))).astype(np.float32)

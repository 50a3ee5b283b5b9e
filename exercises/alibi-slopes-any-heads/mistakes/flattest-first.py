# framework: numpy
"""Each part of your slopes runs the wrong way, the flattest head first. The exponent grows with the number of the
head, `-8 * h / p` for h = 1, 2, …, so the steepest head comes first."""

import numpy as np


def alibi_slopes(n_heads):
    p = 1 << (n_heads.bit_length() - 1)
    own = np.arange(1, p + 1)[::-1] / p
    between = (2 * np.arange(n_heads - p) + 1)[::-1] / (2 * p)
    return (2.0 ** (-8 * np.concatenate([own, between]))).astype(np.float32)

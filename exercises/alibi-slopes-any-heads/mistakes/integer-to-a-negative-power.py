# framework: numpy
# verdict: runtime_error
"""NumPy refuses to raise whole numbers to negative whole powers. Make one of them a float: `2.0 ** exponent`."""

import numpy as np


def alibi_slopes(n_heads):
    p = 1 << (n_heads.bit_length() - 1)
    return np.array(2) ** (-np.arange(1, p + 1) * 8 // p)

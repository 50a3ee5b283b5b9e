# framework: numpy
import numpy as np


def geometric(p):
    return 2.0 ** (-8 * np.arange(1, p + 1) / p)                # (p,)


def alibi_slopes(n_heads):
    p = 2 ** int(np.log2(n_heads))
    slopes = np.concatenate([geometric(p), geometric(2 * p)[0::2][: n_heads - p]])
    return slopes.astype(np.float32)

# framework: numpy
import math

import numpy as np


def geometric(p):
    ratio = 2 ** (-8 / p)
    return [ratio * ratio**i for i in range(p)]


def slopes_of(n):
    if math.log2(n).is_integer():
        return geometric(n)
    p = 2 ** math.floor(math.log2(n))
    return geometric(p) + slopes_of(2 * p)[0::2][: n - p]


def alibi_slopes(n_heads):
    return np.array(slopes_of(n_heads), dtype=np.float32)

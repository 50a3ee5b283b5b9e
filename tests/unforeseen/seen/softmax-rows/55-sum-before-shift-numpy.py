# cause: The denominator is summed over the unshifted exponentials while the numerator is shifted.
# names: shift|subtract|same|maximum|denominator
import numpy as np


def solve(x):
    m = x.max(axis=1, keepdims=True)
    top = np.exp(x - m)
    bottom = np.exp(x).sum(axis=1, keepdims=True)
    return top / bottom

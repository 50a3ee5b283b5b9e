# cause: reshape(C, N) does not transpose: it cuts the same run of numbers into other rows, so scores of different rows are mixed.
# names: reshape|transpos|mix
import numpy as np


def solve(x):
    N, C = x.shape
    columns = x.reshape(C, N)
    e = np.exp(columns - columns.max(axis=0))
    w = e / e.sum(axis=0)
    return w.reshape(N, C)

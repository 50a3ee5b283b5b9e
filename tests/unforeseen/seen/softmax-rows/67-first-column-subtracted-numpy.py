# cause: The first score of each row is subtracted in place of the largest, so the rest can still overflow.
# names: overflow|maximum|largest
import numpy as np


def solve(x):
    e = np.exp(x - x[:, :1])
    return e / e.sum(axis=1, keepdims=True)

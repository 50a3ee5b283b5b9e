# cause: The search for the largest score starts at 0, so in a row of negative scores it never finds the real maximum, and the exponentials of very negative scores all underflow to 0.
# names: (start|begin|initiali[sz]|initial)\w*.{0,40}\b(0|zero)\b|(maximum|largest|biggest|max|search).{0,60}(below 0|never below|at least (0|zero)|(stays|remains) (at )?(0|zero)|not below)|negative (scores?|rows?|numbers?)|(scores|row|numbers).{0,20}all.{0,20}(negative|below (0|zero))
import numpy as np


def solve(x):
    out = np.zeros_like(x)
    for i in range(x.shape[0]):
        biggest = 0
        for j in range(x.shape[1]):
            if x[i][j] > biggest:
                biggest = x[i][j]
        total = 0
        for j in range(x.shape[1]):
            total = total + np.exp(x[i][j] - biggest)
        for j in range(x.shape[1]):
            out[i][j] = np.exp(x[i][j] - biggest) / total
    return out

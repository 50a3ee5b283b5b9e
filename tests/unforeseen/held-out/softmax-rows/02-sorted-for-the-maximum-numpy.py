# cause: x.sort sorts the rows in place to find the maximum, so the weights come out in ascending order and no longer belong to their scores.
# names: sort|ascending|(order|places?) of (the|your) (scores|entries|weights|row)|rearrang|out of order|increasing order
import numpy as np


def solve(x):
    # biggest score of each row = last one after sorting
    x.sort(axis=1)
    biggest = x[:, -1:]
    ex = np.exp(x - biggest)
    return ex / ex.sum(axis=1, keepdims=True)

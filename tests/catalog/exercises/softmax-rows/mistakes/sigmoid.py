# framework: numpy
"""This is the sigmoid of each score by itself: the entries of a row do not share a sum. Divide the exponentials by the
sum of the row's exponentials."""

import numpy as np


def solve(x):
    return np.exp(np.minimum(x, 0)) / (1 + np.exp(-np.abs(x)))

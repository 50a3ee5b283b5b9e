# framework: numpy
"""You return the logarithms of the weights, which is `log_softmax`. Take `exp` of them, or divide the exponentials by
their sum."""

import numpy as np


def solve(x):
    shifted = x - x.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))

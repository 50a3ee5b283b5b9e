# framework: numpy
"""`dx` and `dW` are the derivatives of the sum of `y`, as if `dy` were all ones. Multiply with `dy`: `dy @ W.T` and
`x.T @ dy`."""

import numpy as np


def linear_gradients(x, W, dy):
    ones = np.ones_like(dy)
    return {"dx": ones @ W.T, "dW": x.T @ ones, "db": dy.sum(axis=0)}

# cause: inf replaced: rows with -inf get nan, since x - x + ...; multiplies a mask 0 * -inf
# names: -inf|infinit|masked
import numpy as np


def solve(x):
    x = x - x.max(axis=1, keepdims=True)
    x = x + 0 * x.min(axis=1, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=1, keepdims=True)

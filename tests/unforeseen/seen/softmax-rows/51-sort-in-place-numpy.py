# cause: A large score is clamped with np.minimum, but the result is thrown away, so exp still overflows.
# names: thrown away|dropped|no effect|does nothing|not used|is lost
import numpy as np


def solve(x):
    shift = x.max(axis=1, keepdims=True)
    np.subtract(x, shift)
    e = np.exp(x)
    return e / e.sum(axis=1, keepdims=True)

# cause: np.squeeze removes a dimension of size 1, so that one row or one column loses an axis; the failing cases are hidden.
# names: dimension|squeeze|shape|size 1|one row
import numpy as np


def solve(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return np.squeeze(e / e.sum(axis=1, keepdims=True))

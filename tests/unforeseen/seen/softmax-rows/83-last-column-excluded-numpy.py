# cause: The sum leaves out the last column, e[:, :-1], so the weights sum to more than one.
# names: :-1|last (column|place|one)|slice|leaves out|left out
import numpy as np


def solve(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    total = e[:, :-1].sum(axis=-1, keepdims=True)
    return e / total

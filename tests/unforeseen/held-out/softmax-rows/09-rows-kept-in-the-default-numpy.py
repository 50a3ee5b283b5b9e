# cause: The list rows is a mutable default argument, made once, so the rows of earlier calls are still in it at the next call.
# names: default (argument|value|list)|mutable|(earlier|previous|last|first|other|former|one) calls?|(between|across) calls|second (call|time)|called (again|twice|more than once)|keeps? (growing|the rows)|carr(y|ied) over|rows? too many|too many rows|state
import numpy as np


def solve(x, rows=[]):
    for r in x:
        e = np.exp(r - r.max())
        rows.append(e / e.sum())
    return np.array(rows)

# cause: The return is inside the loop, so only the first row is done.
# names: return.*loop|first (row|pass)
import numpy as np


def solve(x):
    rows = []
    for row in x:
        e = np.exp(row - row.max())
        rows.append(e / e.sum())
        return np.array(rows)

# cause: The same row array is appended every time, so all rows of the result are the last row.
# names: same (list|array|object|row)|last row|each row is
import numpy as np


def solve(x):
    row = np.zeros(x.shape[1])
    rows = []
    for n in range(len(x)):
        row[:] = np.exp(x[n] - x[n].max())
        row /= row.sum()
        rows.append(row)
    return np.array(rows)

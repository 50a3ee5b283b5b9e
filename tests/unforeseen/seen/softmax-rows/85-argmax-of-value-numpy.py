# cause: Each weight is written at the first place where its score stands, so that equal scores leave zeros behind.
# names: equal|same (score|value|number)|first place|where\(|index|several times|repeat
import numpy as np


def solve(x):
    out = np.zeros_like(x)
    for n in range(x.shape[0]):
        row = x[n]
        total = np.exp(row - row.max()).sum()
        for score in row:
            c = np.where(row == score)[0][0]
            out[n, c] = np.exp(score - row.max()) / total
    return out

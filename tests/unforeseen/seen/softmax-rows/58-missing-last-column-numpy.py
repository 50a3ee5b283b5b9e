# cause: The loop over columns stops one early, so the last column stays 0 and is not in the sum.
# names: last column|last|one short|one early|off by one|along C
import numpy as np


def solve(x):
    out = np.zeros_like(x)
    for n in range(x.shape[0]):
        m = max(x[n])
        total = 0.0
        for c in range(x.shape[1] - 1):
            out[n, c] = np.exp(x[n, c] - m)
            total += out[n, c]
        for c in range(x.shape[1] - 1):
            out[n, c] /= total
    return out

# cause: The stride is used for the rows and forgotten for the columns.
# names: stride|column|`s`
import numpy as np


def convolution(x, kernel, s=1):
    k = len(kernel)
    N, H, W = x.shape
    rows, columns = (H - k) // s + 1, (W - k) // s + 1
    y = np.zeros((N, rows, columns), np.float32)
    for r in range(rows):
        for c in range(columns):
            y[:, r, c] = (x[:, r * s : r * s + k, c : c + k] * kernel).sum(axis=(1, 2))
    return y

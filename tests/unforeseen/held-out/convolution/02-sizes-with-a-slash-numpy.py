# cause: (H - k) / s is a float in Python even when it comes out even, and sizes must be whole numbers: use //.
# names: //|\bfloat\b(?!32|64)|whole numbers?|integer|floor|slash|rounded? down
import numpy as np


def convolution(x, kernel, s=1):
    N, H, W = x.shape
    k = kernel.shape[0]
    rows = (H - k) / s + 1
    cols = (W - k) / s + 1
    y = np.zeros((N, rows, cols), dtype=np.float32)
    for r in range(rows):
        for c in range(cols):
            window = x[:, r * s : r * s + k, c * s : c * s + k]
            y[:, r, c] = (window * kernel).sum(axis=(1, 2))
    return y

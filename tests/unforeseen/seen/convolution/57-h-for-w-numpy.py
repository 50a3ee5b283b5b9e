# cause: The number of columns is computed from H instead of W.
# names: W\b|columns|shape|swapped|H
import numpy as np


def convolution(x, kernel, s=1):
    k = kernel.shape[0]
    N, H, W = x.shape
    R = (H - k) // s + 1
    C = (H - k) // s + 1
    y = np.zeros((N, R, C), np.float32)
    for n in range(N):
        for r in range(R):
            for c in range(C):
                y[n, r, c] = (x[n, r * s : r * s + k, c * s : c * s + k] * kernel).sum()
    return y

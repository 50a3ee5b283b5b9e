# cause: The number of places is (H - k) // s without + 1.
# names: one (row|place|less|short|few)|\+ ?1|fewer|shape
import numpy as np


def convolution(x, kernel, s=1):
    k = kernel.shape[0]
    N, H, W = x.shape
    R, C = (H - k) // s, (W - k) // s
    y = np.zeros((N, R, C), np.float32)
    for n in range(N):
        for r in range(R):
            for c in range(C):
                y[n, r, c] = (x[n, r * s : r * s + k, c * s : c * s + k] * kernel).sum()
    return y

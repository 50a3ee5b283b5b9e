# cause: The products are summed in float16.
# names: float16|half|digits
import numpy as np


def convolution(x, kernel, s=1):
    k = kernel.shape[0]
    n, h, w = x.shape
    rows, cols = (h - k) // s + 1, (w - k) // s + 1
    y = np.zeros((n, rows, cols), dtype=np.float16)
    for r in range(rows):
        for c in range(cols):
            patch = x[:, r * s:r * s + k, c * s:c * s + k]
            y[:, r, c] = (patch * kernel).sum(axis=(1, 2))
    return y.astype(np.float32)

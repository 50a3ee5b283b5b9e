# cause: np.zeros makes a float64 buffer unless told otherwise, so the answer is float64; give it dtype=np.float32.
# names: zeros|buffer|default dtype|np\.empty|line 7\b|`out`
import numpy as np


def convolution(x, kernel, s=1):
    k = kernel.shape[0]
    N, rows, cols = len(x), (x.shape[1] - k) // s + 1, (x.shape[2] - k) // s + 1
    out = np.zeros((N, rows, cols))
    for r in range(rows):
        for c in range(cols):
            out[:, r, c] = (x[:, r * s:r * s + k, c * s:c * s + k] * kernel).sum((1, 2))
    return out

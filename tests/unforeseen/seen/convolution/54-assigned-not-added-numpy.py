# cause: = in place of +=: each product replaces the one before, so only the last is left.
# names: \+=|last|adds?|sum
import numpy as np


def convolution(x, kernel, s=1):
    k = len(kernel)
    rows, columns = (x.shape[1] - k) // s + 1, (x.shape[2] - k) // s + 1
    y = np.zeros((len(x), rows, columns), x.dtype)
    for i in range(k):
        for j in range(k):
            y = kernel[i, j] * x[:, i : i + rows * s : s, j : j + columns * s : s]
    return y[:, :rows, :columns]

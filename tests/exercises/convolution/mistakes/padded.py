"""You padded the images with zeros. The kernel is put only where it fits."""

import numpy as np


def convolution(x, kernel, s=1):
    k = len(kernel)
    x = np.pad(x, ((0, 0), (k // 2, k // 2), (k // 2, k // 2)))
    rows, columns = (x.shape[1] - k) // s + 1, (x.shape[2] - k) // s + 1
    y = np.zeros((len(x), rows, columns), x.dtype)
    for i in range(k):
        for j in range(k):
            y += kernel[i, j] * x[:, i:, j:][:, : rows * s : s, : columns * s : s]
    return y

"""One place is missing on each side: the kernel also fits where it ends with the image. Add 1 after the division."""

import numpy as np


def convolution(x, kernel, s=1):
    k = len(kernel)
    rows, columns = (x.shape[1] - k) // s, (x.shape[2] - k) // s
    y = np.zeros((len(x), rows, columns), x.dtype)
    for i in range(k):
        for j in range(k):
            y += kernel[i, j] * x[:, i:, j:][:, : rows * s : s, : columns * s : s]
    return y

"""The number of places is right, but they lie side by side: between two of them are `s` pixels."""

import numpy as np


def convolution(x, kernel, s=1):
    k = len(kernel)
    rows, columns = (x.shape[1] - k) // s + 1, (x.shape[2] - k) // s + 1
    y = np.zeros((len(x), rows, columns), x.dtype)
    for i in range(k):
        for j in range(k):
            y += kernel[i, j] * x[:, i:, j:][:, :rows, :columns]
    return y

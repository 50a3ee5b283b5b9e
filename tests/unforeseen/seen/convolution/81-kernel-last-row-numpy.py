# cause: The loop over the kernel's rows ends one early, so its last row never counts.
# names: range|last|one too early|too early
import numpy as np


def convolution(x, kernel, s=1):
    k = kernel.shape[0]
    rows, cols = (x.shape[1] - k) // s + 1, (x.shape[2] - k) // s + 1
    y = np.zeros((x.shape[0], rows, cols), np.float32)
    for i in range(k - 1):
        for j in range(k):
            y += kernel[i, j] * x[:, i:i + rows * s:s, j:j + cols * s:s][:, :rows, :cols]
    return y

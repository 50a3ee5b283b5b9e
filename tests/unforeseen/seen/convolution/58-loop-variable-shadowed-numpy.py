# cause: the inner loops reuse r, so the place that is written to is wrong.
# names: loop variable|`r`|same name|overwrit|shadow|reuse
import numpy as np


def convolution(x, kernel, s=1):
    k = kernel.shape[0]
    N, H, W = x.shape
    R, C = (H - k) // s + 1, (W - k) // s + 1
    y = np.zeros((N, R, C), np.float32)
    for n in range(N):
        for r in range(R):
            for c in range(C):
                total = 0.0
                for i in range(k):
                    for j in range(k):
                        total += x[n, r * s + i, c * s + j] * kernel[i, j]
                y[n, r, c] = total
                total = total / (k * k)
                y[n, r, c] = total
    return y

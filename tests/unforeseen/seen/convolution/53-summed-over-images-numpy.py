# cause: sum() without axis sums over the images as well, so that all images share one number.
# names: images|axis|N|sum
import numpy as np


def convolution(x, kernel, s=1):
    k = len(kernel)
    N, H, W = x.shape
    rows, columns = (H - k) // s + 1, (W - k) // s + 1
    y = np.zeros((N, rows, columns), np.float32)
    for r in range(rows):
        for c in range(columns):
            patch = x[:, r * s : r * s + k, c * s : c * s + k]
            y[:, r, c] = np.sum(patch * kernel)
    return y

# cause: The number of rows is computed from x.shape[2], the width, and not from the height, x.shape[1].
# names: width|height|wrong (axis|dimension|size)|(another|other) (axis|dimension)|axis of another|(size|length) of .{0,20}(axis|W\b)
import numpy as np


def convolution(x, kernel, s=1):
    k = kernel.shape[0]
    rows = (x.shape[2] - k) // s + 1
    cols = (x.shape[2] - k) // s + 1
    out = np.zeros((len(x), rows, cols), dtype=np.float32)
    for r in range(rows):
        for c in range(cols):
            out[:, r, c] = (x[:, r * s:r * s + k, c * s:c * s + k] * kernel).sum((1, 2))
    return out

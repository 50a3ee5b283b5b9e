# cause: With a stride the windows begin one after another, x[:, r:r + k], though they should begin s apart.
# names: stride|steps of one|factor is missing|\* s|apart
import numpy as np


def convolution(x, kernel, s=1):
    k = len(kernel)
    rows = (x.shape[1] - k) // s + 1
    cols = (x.shape[2] - k) // s + 1
    out = np.empty((len(x), rows, cols), dtype=x.dtype)
    for r in range(rows):
        for c in range(cols):
            window = x[:, r:r + k, c:c + k]
            out[:, r, c] = np.einsum("nij,ij->n", window, kernel)
    return out

# framework: numpy
"""Your heads overlap: head `h` begins at number `h`, as `x[:, :, h : h + d]` does. The blocks lie side by side, so it
begins at `h * d` and ends before `(h + 1) * d`."""

import numpy as np


def split_heads(x, H):
    d = x.shape[2] // H
    return np.stack([x[:, :, h : h + d] for h in range(H)], axis=1)

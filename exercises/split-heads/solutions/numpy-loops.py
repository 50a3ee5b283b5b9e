# framework: numpy
import numpy as np


def split_heads(x, H):
    B, T, D = x.shape
    d = D // H
    out = np.empty((B, H, T, d), dtype=x.dtype)
    for h in range(H):
        out[:, h] = x[:, :, h * d : (h + 1) * d]            # (B, T, d)
    return out

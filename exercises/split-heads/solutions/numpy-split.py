# framework: numpy
import numpy as np


def split_heads(x, H):
    return np.stack(np.split(x, H, axis=-1), axis=1)        # H of (B, T, d) -> (B, H, T, d)

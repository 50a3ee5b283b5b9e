# framework: numpy
"""You return a list of H pieces. Make one array of them with the heads on axis 1: `np.stack(pieces, axis=1)`."""

import numpy as np


def split_heads(x, H):
    return np.split(x, H, axis=-1)

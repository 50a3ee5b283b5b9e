import numpy as np


def jitter(x, scale=1.0):
    return x + scale * np.random.standard_normal(x.shape)  # (N,)

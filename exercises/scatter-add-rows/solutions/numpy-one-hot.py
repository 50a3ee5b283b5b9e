# framework: numpy
import numpy as np


def scatter_add_rows(rows, ids, K):
    one_hot = (np.arange(K)[:, None] == ids).astype(np.float32)     # (K, N)
    return one_hot @ rows                                           # (K, D)

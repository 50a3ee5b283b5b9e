# framework: numpy
import numpy as np


def one_hot_lookup(ids, table):
    V = len(table)
    basis = np.concatenate([np.eye(V), np.zeros((1, V))]).astype(np.float32)    # (V + 1, V): zeros last
    inside = (ids >= 0) & (ids < V)                                             # (N, T)
    one_hot = basis[np.where(inside, ids, V)]                                   # (N, T, V)
    return one_hot, np.einsum("ntv,vd->ntd", one_hot, table)

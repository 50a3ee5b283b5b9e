import numpy as np


def eigenvectors(a):
    if not np.array_equal(a, a.T):
        raise ValueError("a is not symmetric")
    values, vectors = np.linalg.eigh(a)
    order = np.argsort(-np.abs(values))
    return {"values": values[order], "vectors": vectors[:, order]}

"""You return the absolute values. They decide the order only; an eigenvalue keeps its sign."""

import numpy as np


def eigenvectors(a):
    values, vectors = np.linalg.eigh(a)
    order = np.argsort(-np.abs(values))
    return {"values": np.abs(values)[order], "vectors": vectors[:, order]}

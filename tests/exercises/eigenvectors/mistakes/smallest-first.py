"""The eigenvalue with the smallest absolute value comes first. Turn the order round."""

import numpy as np


def eigenvectors(a):
    values, vectors = np.linalg.eigh(a)
    order = np.argsort(np.abs(values))
    return {"values": values[order], "vectors": vectors[:, order]}

"""The eigenvalues are in ascending order. The one with the largest absolute value comes first."""

import numpy as np


def eigenvectors(a):
    values, vectors = np.linalg.eigh(a)
    order = np.argsort(values)
    return {"values": values[order], "vectors": vectors[:, order]}

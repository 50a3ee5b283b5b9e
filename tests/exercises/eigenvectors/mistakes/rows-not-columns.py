"""The eigenvectors are in the rows. Put them in the columns."""

import numpy as np


def eigenvectors(a):
    values, vectors = np.linalg.eigh(a)
    order = np.argsort(-np.abs(values))
    return {"values": values[order], "vectors": vectors[:, order].T}

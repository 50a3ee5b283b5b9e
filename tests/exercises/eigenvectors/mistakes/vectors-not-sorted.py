"""You sorted the eigenvalues but not the vectors, so they no longer belong together. Write `vectors[:, order]`."""

import numpy as np


def eigenvectors(a):
    values, vectors = np.linalg.eigh(a)
    order = np.argsort(-np.abs(values))
    return {"values": values[order], "vectors": vectors}

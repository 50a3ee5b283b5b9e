"""The largest eigenvalue comes first, and a negative one last. What counts is the absolute value."""

import numpy as np


def eigenvectors(a):
    values, vectors = np.linalg.eigh(a)
    order = np.argsort(-values)
    return {"values": values[order], "vectors": vectors[:, order]}

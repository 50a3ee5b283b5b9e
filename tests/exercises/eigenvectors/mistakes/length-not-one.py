"""The columns point in the right directions, but their lengths are not 1: divide each by its length."""

import numpy as np


def eigenvectors(a):
    values, vectors = np.linalg.eigh(a)
    order = np.argsort(-np.abs(values))
    return {"values": values[order], "vectors": vectors[:, order] / np.abs(vectors[:, order]).max(axis=0)}

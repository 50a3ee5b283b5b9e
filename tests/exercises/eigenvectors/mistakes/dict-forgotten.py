"""You return a tuple. Return a dict with the keys `values` and `vectors`."""

import numpy as np


def eigenvectors(a):
    values, vectors = np.linalg.eigh(a)
    order = np.argsort(-np.abs(values))
    return values[order], vectors[:, order]

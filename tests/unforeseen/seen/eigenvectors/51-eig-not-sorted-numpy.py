# cause: sorted by value and not by absolute value.
# names: absolute|order|sort
import numpy as np


def eigenvectors(a):
    values, vectors = np.linalg.eigh(a)
    order = np.argsort(values)[::-1]
    return {"values": values[order], "vectors": vectors[:, order]}

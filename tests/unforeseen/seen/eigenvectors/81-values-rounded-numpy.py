# cause: The eigenvalues are rounded to three decimal places.
# names: round|decimal
import numpy as np


def eigenvectors(a):
    values, vectors = np.linalg.eigh(a)
    order = np.argsort(np.abs(values))[::-1]
    values = np.round(values[order], 3)
    return {"values": values, "vectors": vectors[:, order]}

# cause: the key is called eigenvalues
# names: key|values
import numpy as np


def eigenvectors(a):
    values, vectors = np.linalg.eigh(a)
    order = np.argsort(-abs(values))
    return {"eigenvalues": values[order], "eigenvectors": vectors[:, order]}

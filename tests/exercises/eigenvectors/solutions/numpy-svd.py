import numpy as np


def eigenvectors(a):
    """The singular vectors of a symmetric matrix in the order of its eigenvalues' absolute values, turned within those
    that are equal."""
    _, vectors = np.linalg.eigh(a)
    values = np.einsum("ij,ik,kj->j", vectors, a, vectors)
    order = sorted(range(len(a)), key=lambda j: abs(values[j]), reverse=True)
    return {"values": values[order], "vectors": -vectors[:, order]}

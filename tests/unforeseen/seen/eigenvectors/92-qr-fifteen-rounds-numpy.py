# cause: The QR iteration stops after 15 rounds, long before it has converged; the values are only nearly right. Repeat until nothing changes any more.
# names: converg|(more|too few|few) (rounds|steps|passes|iterations)|stops? (too early|before|after)|\b15\b|range\(15\)|not exact enough|only nearly
import numpy as np


def eigenvectors(a):
    n = len(a)
    current, vectors = a.copy(), np.eye(n)
    for _ in range(15):
        q, r = np.linalg.qr(current)
        current = r @ q
        vectors = vectors @ q
    values = np.diag(current)
    order = np.argsort(-np.abs(values))
    return {"values": values[order], "vectors": vectors[:, order]}

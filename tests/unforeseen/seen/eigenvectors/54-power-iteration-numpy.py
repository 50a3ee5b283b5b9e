# cause: Power iteration with few rounds: not converged
# names: converge|iterat|precis|rounds|digits|approxim
import numpy as np


def eigenvectors(a):
    n = len(a)
    b = a.copy()
    values, vectors = [], []
    for _ in range(n):
        v = np.ones(n)
        for _ in range(20):
            v = b @ v
            v = v / np.linalg.norm(v)
        value = v @ b @ v
        values.append(value)
        vectors.append(v)
        b = b - value * np.outer(v, v)
    return {"values": np.array(values), "vectors": np.array(vectors).T}

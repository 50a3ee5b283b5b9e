# cause: The power iteration with deflation stops after 20 rounds, long before it has converged where two eigenvalues are close.
# names: round|iteration|passes|converge|range\(|too few|loop
import numpy as np


def eigenvectors(a):
    n = len(a)
    q = np.eye(n)
    b = a.copy()
    for _ in range(20):
        q_step, r = np.linalg.qr(b)
        b = r @ q_step
        q = q @ q_step
    values = np.diag(b)
    order = np.argsort(-np.abs(values))
    return {"values": values[order], "vectors": q[:, order]}

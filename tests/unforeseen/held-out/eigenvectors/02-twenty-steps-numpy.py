# cause: The power iteration stops after 20 steps, long before it has converged, so the vectors and values have only a few correct digits.
# names: converg|iterat|20 (steps|times|rounds)|twenty|(more|few|enough) (steps|rounds)|power (method|iter)|(stop|end)s? too (soon|early)|not (exact|accurate|precise)|approximat|eigh\b
import numpy as np


def eigenvectors(a):
    n = len(a)
    rest = a.copy()
    values = np.zeros(n)
    vectors = np.eye(n)
    rng = np.random.default_rng(0)
    for j in range(n):
        v = rng.standard_normal(n)
        # perpendicular to what we have already
        v -= vectors[:, :j] @ (vectors[:, :j].T @ v)
        v /= np.linalg.norm(v)
        for _ in range(20):
            w = rest @ v
            length = np.linalg.norm(w)
            if length < 1e-12:
                break
            v = w / length
        values[j] = v @ rest @ v
        vectors[:, j] = v
        rest = rest - values[j] * np.outer(v, v)
    return {"values": values, "vectors": vectors}

# cause: np.maximum raises eigenvalues below -1 to -1, but eigenvalues may be any number; leave it out.
# names: maximum|clip|limit|bound|raised
import numpy as np


def eigenvectors(a):
    w, v = np.linalg.eigh(a)
    w = np.maximum(w, -1.0)
    order = np.argsort(-np.abs(w))
    return {"values": w[order], "vectors": v[:, order]}

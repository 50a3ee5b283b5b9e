# cause: np.argsort has no argument reverse, that belongs to Python's sorted; sort the negative values or turn the result round with [::-1].
# names: `?reverse\b.{0,60}(argsort|numpy|keyword|argument|sorted|not|no)|argsort.{0,60}(no|not|n't|unexpected|keyword|argument)|unexpected keyword|\[::-1\]|no (argument|keyword)
import numpy as np


def eigenvectors(a):
    w, v = np.linalg.eigh(a)
    idx = np.argsort(np.abs(w), reverse=True)
    return {"values": w[idx], "vectors": v[:, idx]}

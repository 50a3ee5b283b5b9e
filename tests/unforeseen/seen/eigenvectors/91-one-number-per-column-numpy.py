# cause: v[order, order] pairs the two indices and takes single numbers, v[i, i], not whole columns; write v[:, order].
# names: (single|one) (number|entry|element)s?\b|pair(s|ed|wise)|whole columns?|v\[:, ?order\]|diagonal|(each|every) (row|column).{0,30}(one|single)
import numpy as np


def eigenvectors(a):
    w, v = np.linalg.eigh(a)
    order = np.argsort(np.abs(w))[::-1]
    return {"values": w[order], "vectors": v[order, order]}

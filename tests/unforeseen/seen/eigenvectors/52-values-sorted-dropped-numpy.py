# cause: values.sort sorts only the values, the vectors stay.
# names: vector|order|sort
import numpy as np


def eigenvectors(a):
    values, vectors = np.linalg.eigh(a)
    values = np.array(sorted(values, key=abs, reverse=True))
    return {"values": values, "vectors": vectors}

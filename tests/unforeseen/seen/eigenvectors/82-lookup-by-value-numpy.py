# cause: The place of each eigenvalue is found by its value with list.index, so that for equal eigenvalues the same vector is taken several times.
# names: index|equal|same (place|vector|column)|first place
import numpy as np


def eigenvectors(a):
    values, vectors = np.linalg.eigh(a)
    known = [round(v, 9) for v in values]
    ordered = sorted(known, key=abs, reverse=True)
    columns = [vectors[:, known.index(v)] for v in ordered]
    return {"values": np.array(ordered), "vectors": np.stack(columns, axis=1)}

# cause: The eigenvalues are the keys of a dict, where each key exists once, so of equal eigenvalues only one is left.
# names: (key|dict).{0,80}(once|one|equal|same|overwrit|lost)|equal (eigen)?values
import numpy as np


def eigenvectors(a):
    w, v = np.linalg.eigh(a)
    column = {}
    for j in range(len(w)):
        value = float(np.round(w[j], 12))
        if value not in column:
            column[value] = v[:, j]
    values = sorted(column, key=abs, reverse=True)
    return {"values": np.array(values), "vectors": np.stack([column[value] for value in values], axis=1)}

# cause: list.index finds the first place of a value, so where two eigenvalues are equal the same eigenvector is taken twice.
# names: \.index\b|`index`|index\(|same (column|vector|eigenvector|place).{0,40}(twice|two|again|each|both|several)|(twice|repeated|two|equal|double|several).{0,40}(same|equal|column|eigenvalue|vector)|first place|argsort|perpendicular
import numpy as np


def eigenvectors(a):
    w, v = np.linalg.eigh(a)
    w_list = w.tolist()
    w_sorted = sorted(w_list, key=abs, reverse=True)
    columns = [v[:, w_list.index(val)] for val in w_sorted]
    return {"values": np.array(w_sorted), "vectors": np.column_stack(columns)}

# cause: The vectors are sorted along the rows, vectors[order], not the columns.
# names: row|column|vectors\[:, ?order\]
import numpy as np


def eigenvectors(a):
    values, vectors = np.linalg.eigh(a)
    order = np.argsort(-abs(values))
    vectors = vectors[order]
    return dict(values=values[order], vectors=vectors)

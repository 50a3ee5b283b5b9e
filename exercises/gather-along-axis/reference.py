"""A gather along an axis, as indexing with one array for each axis of x."""

import numpy as np


def gather_along_axis(x, index, axis):
    """out[i, j] = x[index[i, j], j] along axis 0, x[i, index[i, j]] along axis 1

    >>> x = np.array([[0.1, 0.2, 0.3], [1.1, 1.2, 1.3]], dtype=np.float32)
    >>> gather_along_axis(x, np.array([[2, 0], [1, 1]]), 1)
    array([[0.3, 0.1],
           [1.2, 1.2]], dtype=float32)
    """
    places = list(np.indices(index.shape))      # two of (I, J): the row i, and the column j, of every entry
    places[axis] = index                        # the index takes the place of the named axis
    rows, columns = places
    return x[rows, columns]                     # (I, J)

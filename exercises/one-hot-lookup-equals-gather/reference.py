"""An embedding lookup written as a linear layer: one-hot rows times the table."""

import numpy as np


def one_hot_lookup(ids, table):
    """(one_hot, rows), where rows[n, t] = table[ids[n, t]], or zeros for an id outside the table

    >>> table = np.array([[0.5, 1.5], [2.5, 3.5]], dtype=np.float32)
    >>> one_hot, rows = one_hot_lookup(np.array([[1, -1]], dtype=np.int32), table)
    >>> one_hot.tolist(), rows.tolist()
    ([[[0.0, 1.0], [0.0, 0.0]]], [[[2.5, 3.5], [0.0, 0.0]]])
    """
    entries = np.arange(table.shape[0])                         # (V,)
    matches = ids[..., None] == entries                         # (N, T, V): each id against each row of the table
    one_hot = matches.astype(np.float32)                        # (N, T, V)
    return one_hot, one_hot @ table                             # (N, T, V), (N, T, D)

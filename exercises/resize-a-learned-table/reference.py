"""A learned table, stretched or squeezed to another number of rows by linear interpolation between neighbours."""

import numpy as np


def resize_table(table, new_len, align_corners):
    """Row j of the result lies at place p_j of the table, between rows floor(p_j) and floor(p_j) + 1.

    >>> table = np.array([[0.0], [10.0], [20.0]], dtype=np.float32)
    >>> resize_table(table, 5, align_corners=True).ravel()
    array([ 0.,  5., 10., 15., 20.], dtype=float32)
    """
    max_len = table.shape[0]
    j = np.arange(new_len)
    if align_corners:
        places = j * (max_len - 1) / max(new_len - 1, 1)                    # (new_len,): ends on ends
    else:
        places = (j + 0.5) * max_len / new_len - 0.5                        # (new_len,): middles on middles
    places = np.clip(places, 0, max_len - 1)
    below = np.floor(places).astype(int)                                    # (new_len,)
    above = np.minimum(below + 1, max_len - 1)
    weight = (places - below).astype(np.float32)[:, None]                   # (new_len, 1)
    return (1 - weight) * table[below] + weight * table[above]              # (new_len, d_model)

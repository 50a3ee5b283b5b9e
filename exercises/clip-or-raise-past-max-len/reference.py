"""A lookup that says what it does with ids that the table does not have."""

import numpy as np


def look_up(table, ids, clip):
    """Row ids[n, t] of the table for every token; ids outside of it are clipped, or refused with a ValueError.

    >>> table = np.array([[0.5], [1.5], [2.5]], dtype=np.float32)
    >>> look_up(table, np.array([[-1, 1, 9]], dtype=np.int32), clip=True)
    array([[[0.5],
            [1.5],
            [2.5]]], dtype=float32)
    """
    last = table.shape[0] - 1
    if not clip and (ids.min() < 0 or ids.max() > last):
        raise ValueError(f"ids from {ids.min()} to {ids.max()}, but the rows are 0 to {last}")
    return table[np.clip(ids, 0, last)]     # (N, T, d_model)

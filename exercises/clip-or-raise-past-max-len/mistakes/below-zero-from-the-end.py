# framework: numpy
"""With `clip=False` an id below zero gets a row counted from the end: `-1` gives the last. No framework complains about
it. Compare the ids with 0 yourself, as well as with `max_len`, and raise a `ValueError`."""

import numpy as np


def look_up(table, ids, clip):
    last = table.shape[0] - 1
    if clip:
        return table[np.clip(ids, 0, last)]
    if ids.max() > last:
        raise ValueError(f"ids from {ids.min()} to {ids.max()}, but the rows are 0 to {last}")
    return table[ids]

# framework: numpy
# verdict: runtime_error
"""You refuse id 0, which has a row: the first. Refuse only ids below 0."""

import numpy as np


def look_up(table, ids, clip):
    last = table.shape[0] - 1
    if not clip and (ids.min() <= 0 or ids.max() > last):
        raise ValueError(f"ids from {ids.min()} to {ids.max()}, but the rows are 0 to {last}")
    return table[np.clip(ids, 0, last)]

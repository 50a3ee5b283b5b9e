# framework: numpy
"""Id `max_len` passes your check, but the last row is `max_len - 1`. Refuse all ids of `max_len` or more."""

import numpy as np


def look_up(table, ids, clip):
    last = table.shape[0] - 1
    if not clip and (ids.min() < 0 or ids.max() > last + 1):
        raise ValueError(f"ids from {ids.min()} to {ids.max()}, but the rows are 0 to {last}")
    return table[np.clip(ids, 0, last)]

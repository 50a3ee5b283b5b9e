# framework: numpy
# verdict: runtime_error
"""You compare the ids with `d_model`. The number of rows is axis 0 of the table: `table.shape[0]`."""

import numpy as np


def look_up(table, ids, clip):
    last = table.shape[1] - 1
    if not clip and (ids.min() < 0 or ids.max() > last):
        raise ValueError(f"ids from {ids.min()} to {ids.max()}, but the rows are 0 to {last}")
    return table[np.clip(ids, 0, last)]

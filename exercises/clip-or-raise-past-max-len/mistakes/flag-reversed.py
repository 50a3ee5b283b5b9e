# framework: numpy
# verdict: runtime_error
"""Your modes are exchanged: `clip=True` raises and `clip=False` clips."""

import numpy as np


def look_up(table, ids, clip):
    last = table.shape[0] - 1
    if clip and (ids.min() < 0 or ids.max() > last):
        raise ValueError(f"ids from {ids.min()} to {ids.max()}, but the rows are 0 to {last}")
    return table[np.clip(ids, 0, last)]

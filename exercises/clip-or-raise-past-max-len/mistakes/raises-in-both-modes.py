# framework: numpy
# verdict: runtime_error
"""You raise also when `clip` is True. Then an id without a row takes the nearest row: row 0 or row `max_len - 1`."""

import numpy as np


def look_up(table, ids, clip):
    last = table.shape[0] - 1
    if ids.min() < 0 or ids.max() > last:
        raise ValueError(f"ids from {ids.min()} to {ids.max()}, but the rows are 0 to {last}")
    return table[np.clip(ids, 0, last)]

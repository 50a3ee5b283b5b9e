# framework: numpy
# verdict: runtime_error
"""You clip to `max_len`, which has no row. The last row is `max_len - 1`."""

import numpy as np


def look_up(table, ids, clip):
    last = table.shape[0] - 1
    if not clip and (ids.min() < 0 or ids.max() > last):
        raise ValueError(f"ids from {ids.min()} to {ids.max()}, but the rows are 0 to {last}")
    return table[np.clip(ids, 0, last + 1)]

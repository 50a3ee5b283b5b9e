# framework: numpy
# verdict: runtime_error
"""You clip at the upper end only, so `-1` still means the last row. Ids below 0 take row 0: `np.clip(ids, 0,
last)`."""

import numpy as np


def look_up(table, ids, clip):
    last = table.shape[0] - 1
    if not clip and (ids.min() < 0 or ids.max() > last):
        raise ValueError(f"ids from {ids.min()} to {ids.max()}, but the rows are 0 to {last}")
    return table[np.minimum(ids, last)]

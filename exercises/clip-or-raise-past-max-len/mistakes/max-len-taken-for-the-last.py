# framework: numpy
# verdict: runtime_error
"""You take `max_len` for the last row, in the clip and in the check. Rows are counted from 0, so the last one is `max_len -
1`."""

import numpy as np


def look_up(table, ids, clip):
    max_len = table.shape[0]
    if not clip and (ids.min() < 0 or ids.max() > max_len):
        raise ValueError(f"ids from {ids.min()} to {ids.max()}, but the rows are 0 to {max_len - 1}")
    return table[np.clip(ids, 0, max_len) if clip else ids]

# framework: numpy
# verdict: runtime_error
"""You leave the check to the framework. It raises an IndexError for ids that are too large, and takes `-1` for the
last row: check yourself, and raise a `ValueError`."""

import numpy as np


def look_up(table, ids, clip):
    last = table.shape[0] - 1
    return table[np.clip(ids, 0, last) if clip else ids]

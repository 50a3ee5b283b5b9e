# framework: numpy
# verdict: runtime_error
"""Your check finds the right ids but raises an IndexError. The exercise asks for a `ValueError`."""

import numpy as np


def look_up(table, ids, clip):
    last = table.shape[0] - 1
    if not clip and (ids.min() < 0 or ids.max() > last):
        raise IndexError(f"ids from {ids.min()} to {ids.max()}, but the rows are 0 to {last}")
    return table[np.clip(ids, 0, last)]

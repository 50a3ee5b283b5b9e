# framework: numpy
# verdict: runtime_error
"""A failed `assert` is an AssertionError, and vanishes when Python runs with `-O`. Write `raise ValueError(…)`."""

import numpy as np


def look_up(table, ids, clip):
    last = table.shape[0] - 1
    assert clip or (ids.min() >= 0 and ids.max() <= last)
    return table[np.clip(ids, 0, last)]

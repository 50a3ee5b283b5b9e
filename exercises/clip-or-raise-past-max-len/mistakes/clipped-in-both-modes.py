# framework: numpy
"""With `clip=False` you return rows for ids that have none. Raise a `ValueError` if any id is below 0, or is `max_len` or
more."""

import numpy as np


def look_up(table, ids, clip):
    last = table.shape[0] - 1
    return table[np.clip(ids, 0, last)]

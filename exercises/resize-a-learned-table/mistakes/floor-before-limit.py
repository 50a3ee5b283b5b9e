# framework: numpy
"""Places below 0 reached the last row: the floor of -0.2 is -1. Limit the places to the range from 0 to `max_len -
1` before you take the floor."""

import numpy as np


def resize_table(table, new_len, align_corners):
    max_len = table.shape[0]
    j = np.arange(new_len)
    if align_corners:
        places = j * (max_len - 1) / max(new_len - 1, 1)
    else:
        places = (j + 0.5) * max_len / new_len - 0.5
    below = np.floor(places).astype(int)
    above = np.minimum(below + 1, max_len - 1)
    weight = (places - below).astype(np.float32)[:, None]
    return (1 - weight) * table[below] + weight * table[above]

# framework: numpy
"""Your ratio is upside down. A longer table takes smaller steps through the old one: multiply by `max_len` and
divide by `new_len`."""

import numpy as np


def resize_table(table, new_len, align_corners):
    max_len = table.shape[0]
    j = np.arange(new_len)
    if align_corners:
        places = j * (new_len - 1) / max(max_len - 1, 1)
    else:
        places = (j + 0.5) * new_len / max_len - 0.5
    places = np.clip(places, 0, max_len - 1)
    below = np.floor(places).astype(int)
    above = np.minimum(below + 1, max_len - 1)
    weight = (places - below).astype(np.float32)[:, None]
    return (1 - weight) * table[below] + weight * table[above]

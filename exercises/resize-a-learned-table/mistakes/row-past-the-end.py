# framework: numpy
# verdict: runtime_error
"""You look up the row after the last one: for the place `max_len - 1` there is no row above. Use `min(below + 1,
max_len - 1)`."""

import numpy as np


def resize_table(table, new_len, align_corners):
    max_len = table.shape[0]
    j = np.arange(new_len)
    if align_corners:
        places = j * (max_len - 1) / max(new_len - 1, 1)
    else:
        places = (j + 0.5) * max_len / new_len - 0.5
    places = np.clip(places, 0, max_len - 1)
    below = np.floor(places).astype(int)
    above = below + 1
    weight = (places - below).astype(np.float32)[:, None]
    return (1 - weight) * table[below] + weight * table[above]

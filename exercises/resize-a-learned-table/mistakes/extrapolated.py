# framework: numpy
"""You continue the line past the ends of the table. Nothing is extrapolated here: limit the places themselves, not
only the rows, to 0 and `max_len - 1`."""

import numpy as np


def resize_table(table, new_len, align_corners):
    max_len = table.shape[0]
    j = np.arange(new_len)
    if align_corners:
        places = j * (max_len - 1) / max(new_len - 1, 1)
    else:
        places = (j + 0.5) * max_len / new_len - 0.5
    below = np.clip(np.floor(places).astype(int), 0, max(max_len - 2, 0))
    above = np.minimum(below + 1, max_len - 1)
    weight = (places - below).astype(np.float32)[:, None]
    return (1 - weight) * table[below] + weight * table[above]

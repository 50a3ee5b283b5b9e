# framework: numpy
"""With aligned corners you divide rows, not the gaps between them. `max_len` rows have `max_len - 1` gaps: the place
is `j * (max_len - 1) / (new_len - 1)`."""

import numpy as np


def resize_table(table, new_len, align_corners):
    max_len = table.shape[0]
    j = np.arange(new_len)
    if align_corners:
        places = j * max_len / new_len
    else:
        places = (j + 0.5) * max_len / new_len - 0.5
    places = np.clip(places, 0, max_len - 1)
    below = np.floor(places).astype(int)
    above = np.minimum(below + 1, max_len - 1)
    weight = (places - below).astype(np.float32)[:, None]
    return (1 - weight) * table[below] + weight * table[above]

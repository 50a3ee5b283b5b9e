# framework: numpy
"""You took the nearest row, by rounding each place, instead of mixing two. Between rows the result changes evenly: `(1 - w)`
of the row below and `w` of the row above."""

import numpy as np


def resize_table(table, new_len, align_corners):
    max_len = table.shape[0]
    j = np.arange(new_len)
    if align_corners:
        places = j * (max_len - 1) / max(new_len - 1, 1)
    else:
        places = (j + 0.5) * max_len / new_len - 0.5
    return table[np.floor(np.clip(places, 0, max_len - 1) + 0.5).astype(int)]

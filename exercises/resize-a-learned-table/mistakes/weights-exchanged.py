# framework: numpy
"""Your weights are exchanged: the closer row must count more. Just above row `a`, `w` is near 0, and row `a` has the
weight `1 - w`."""

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
    above = np.minimum(below + 1, max_len - 1)
    weight = (places - below).astype(np.float32)[:, None]
    return weight * table[below] + (1 - weight) * table[above]

# framework: numpy
"""You always mix two rows half and half. The weight of the row above is how far the place lies past the row below: `p
- floor(p)`."""

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
    weight = np.where(places > below, 0.5, 0).astype(np.float32)[:, None]
    return (1 - weight) * table[below] + weight * table[above]

# framework: numpy
"""Your result begins with the old rows and is filled up with zeros. Spread the old rows over the new length instead,
and interpolate between them."""

import numpy as np


def resize_table(table, new_len, align_corners):
    out = np.zeros((new_len, table.shape[1]), dtype=np.float32)
    rows = min(new_len, len(table))
    out[:rows] = table[:rows]
    return out

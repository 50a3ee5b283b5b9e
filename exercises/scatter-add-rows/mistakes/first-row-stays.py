# framework: numpy
"""Where an id repeats, only the first of its rows is in your result. Add all rows of an id: `np.add.at(out, ids, rows)`,
or a loop over the rows with `out[bucket] += row`."""

import numpy as np


def scatter_add_rows(rows, ids, K):
    out = np.zeros((K, rows.shape[1]), dtype=rows.dtype)
    out[ids[::-1]] = rows[::-1]
    return out

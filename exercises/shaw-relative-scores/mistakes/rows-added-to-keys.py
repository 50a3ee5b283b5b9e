# framework: numpy
# verdict: runtime_error
"""You add the rows of the table, `(T, T, d)`, to the keys, `(H, T, d)`, and so queries meet heads on the first axis.
Each query sees each key with another vector: the sum needs an axis for each of heads, queries and keys."""

import math

import numpy as np


def relative_scores(queries, keys, max_distance, table):
    T, d = queries.shape[1:]
    places = np.arange(T)
    distance = places[None, :] - places[:, None]
    rows = np.clip(distance, -max_distance, max_distance) + max_distance
    return queries @ (keys + table[rows]).swapaxes(1, 2) / math.sqrt(d)

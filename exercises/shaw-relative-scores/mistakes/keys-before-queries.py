# framework: numpy
"""Your scores are transposed: rows are queries, columns are keys. Write `queries @ keys.swapaxes(1, 2)`, not the
reverse."""

import math

import numpy as np


def relative_scores(queries, keys, max_distance, table):
    T, d = queries.shape[1:]
    places = np.arange(T)
    distance = places[None, :] - places[:, None]
    rows = np.clip(distance, -max_distance, max_distance) + max_distance
    content = keys @ queries.swapaxes(1, 2)
    position = np.einsum("hid,ijd->hji", queries, table[rows])
    return (content + position) / math.sqrt(d)

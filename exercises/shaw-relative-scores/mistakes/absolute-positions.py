# framework: numpy
"""You give key `j` the row of its own place. The row belongs to the distance from the query, `j - i`, so it differs
from query to query."""

import math

import numpy as np


def relative_scores(queries, keys, max_distance, table):
    T, d = queries.shape[1:]
    places = np.arange(T)
    distance = places[None, :] - places[:, None]
    rows = np.clip(np.broadcast_to(places, (T, T)), 0, 2 * max_distance)
    content = queries @ keys.swapaxes(1, 2)
    position = np.einsum("hid,ijd->hij", queries, table[rows])
    return (content + position) / math.sqrt(d)

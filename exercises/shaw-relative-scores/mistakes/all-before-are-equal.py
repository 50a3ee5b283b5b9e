# framework: numpy
"""You clip distances at 0, so all keys before the query look like the query's own place, and the rows are shifted.
Clip to `-max_distance … max_distance`, then add `max_distance`."""

import math

import numpy as np


def relative_scores(queries, keys, max_distance, table):
    T, d = queries.shape[1:]
    places = np.arange(T)
    distance = places[None, :] - places[:, None]
    rows = np.clip(distance, 0, max_distance)
    content = queries @ keys.swapaxes(1, 2)
    position = np.einsum("hid,ijd->hij", queries, table[rows])
    return (content + position) / math.sqrt(d)

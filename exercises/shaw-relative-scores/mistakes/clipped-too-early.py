# framework: numpy
"""You clip one step too early: the distance `max_distance` has a row of its own. The table has `2 * max_distance + 1`
rows."""

import math

import numpy as np


def relative_scores(queries, keys, max_distance, table):
    T, d = queries.shape[1:]
    places = np.arange(T)
    distance = places[None, :] - places[:, None]
    rows = np.clip(distance, min(1 - max_distance, 0), max(max_distance - 1, 0)) + max_distance
    content = queries @ keys.swapaxes(1, 2)
    position = np.einsum("hid,ijd->hij", queries, table[rows])
    return (content + position) / math.sqrt(d)

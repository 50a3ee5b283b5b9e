# framework: numpy
"""Distances that are too long wrap around in your table. They take the row of the longest one: clip."""

import math

import numpy as np


def relative_scores(queries, keys, max_distance, table):
    T, d = queries.shape[1:]
    places = np.arange(T)
    distance = places[None, :] - places[:, None]
    rows = (distance + max_distance) % (2 * max_distance + 1)
    content = queries @ keys.swapaxes(1, 2)
    position = np.einsum("hid,ijd->hij", queries, table[rows])
    return (content + position) / math.sqrt(d)

# framework: numpy
# verdict: runtime_error
"""Distances beyond `max_distance` ahead have no row in the table. If you do not clip those behind either, they take a
wrong one from the end. Clip on both sides: `np.clip(distance, -max_distance, max_distance)`."""

import math

import numpy as np


def relative_scores(queries, keys, max_distance, table):
    T, d = queries.shape[1:]
    places = np.arange(T)
    distance = places[None, :] - places[:, None]
    rows = distance + max_distance
    content = queries @ keys.swapaxes(1, 2)
    position = np.einsum("hid,ijd->hij", queries, table[rows])
    return (content + position) / math.sqrt(d)

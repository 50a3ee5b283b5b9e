# framework: numpy
"""You multiply the rows of the table with the keys. They are added to the keys, so it is the query that meets
them."""

import math

import numpy as np


def relative_scores(queries, keys, max_distance, table):
    T, d = queries.shape[1:]
    places = np.arange(T)
    distance = places[None, :] - places[:, None]
    rows = np.clip(distance, -max_distance, max_distance) + max_distance
    content = queries @ keys.swapaxes(1, 2)
    position = np.einsum("hjd,ijd->hij", keys, table[rows])
    return (content + position) / math.sqrt(d)

# framework: numpy
"""You divide only the product of query and key by the root of `d`. The part of the table is divided as well."""

import math

import numpy as np


def relative_scores(queries, keys, max_distance, table):
    T, d = queries.shape[1:]
    places = np.arange(T)
    distance = places[None, :] - places[:, None]
    rows = np.clip(distance, -max_distance, max_distance) + max_distance
    content = queries @ keys.swapaxes(1, 2)
    position = np.einsum("hid,ijd->hij", queries, table[rows])
    return content / math.sqrt(d) + position

# framework: numpy
"""Your scores do not depend on the table. Add the product of each query with the row for its distance to each key."""

import math

import numpy as np


def relative_scores(queries, keys, max_distance, table):
    T, d = queries.shape[1:]
    places = np.arange(T)
    distance = places[None, :] - places[:, None]
    rows = np.clip(distance, -max_distance, max_distance) + max_distance
    content = queries @ keys.swapaxes(1, 2)
    position = np.einsum("hid,ijd->hij", queries, table[rows])
    return content / math.sqrt(d)

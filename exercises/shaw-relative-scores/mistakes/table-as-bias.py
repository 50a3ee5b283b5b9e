# framework: numpy
"""You add the numbers of the table to the scores, without the query. Each vector is multiplied with the query
first."""

import math

import numpy as np


def relative_scores(queries, keys, max_distance, table):
    T, d = queries.shape[1:]
    places = np.arange(T)
    distance = places[None, :] - places[:, None]
    rows = np.clip(distance, -max_distance, max_distance) + max_distance
    content = queries @ keys.swapaxes(1, 2)
    position = table[rows].sum(axis=-1)
    return (content + position) / math.sqrt(d)

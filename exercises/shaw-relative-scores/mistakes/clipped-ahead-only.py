# framework: numpy
# verdict: runtime_error
"""You clip distances ahead, but not behind. A key too far back gives a negative row, which counts from the end of the
table, where the keys ahead are. Clip on both sides."""

import math

import numpy as np


def relative_scores(queries, keys, max_distance, table):
    T, d = queries.shape[1:]
    places = np.arange(T)
    distance = places[None, :] - places[:, None]
    rows = np.minimum(distance, max_distance) + max_distance
    content = queries @ keys.swapaxes(1, 2)
    position = np.einsum("hid,ijd->hij", queries, table[rows])
    return (content + position) / math.sqrt(d)

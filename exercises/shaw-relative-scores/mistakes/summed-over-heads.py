# framework: numpy
"""Every head gets the table's part of all heads together. Each head has its own queries, so keep the axis of the heads
in that product, too."""

import math

import numpy as np


def relative_scores(queries, keys, max_distance, table):
    T, d = queries.shape[1:]
    places = np.arange(T)
    distance = places[None, :] - places[:, None]
    rows = np.clip(distance, -max_distance, max_distance) + max_distance
    content = queries @ keys.swapaxes(1, 2)
    position = np.einsum("hid,ijd->ij", queries, table[rows])
    return (content + position) / math.sqrt(d)

# framework: numpy
"""Every head got the product of the first head with the table. The table is shared, but each head has its own
queries."""

import math

import numpy as np


def relative_scores(queries, keys, max_distance, table):
    T, d = queries.shape[1:]
    places = np.arange(T)
    distance = places[None, :] - places[:, None]
    rows = np.clip(distance, -max_distance, max_distance) + max_distance
    content = queries @ keys.swapaxes(1, 2)
    position = np.einsum("hid,ijd->hij", queries[:1].repeat(len(queries), axis=0), table[rows])
    return (content + position) / math.sqrt(d)

# framework: numpy
"""Your distances have the wrong sign: before and after are exchanged. The distance is key minus query, `j - i`, with `j`
along the columns; in `einsum`, the axes of the pairs are `ij`: `"hid,ijd->hij"`."""

import math

import numpy as np


def relative_scores(queries, keys, max_distance, table):
    T, d = queries.shape[1:]
    places = np.arange(T)
    distance = places[:, None] - places[None, :]
    rows = np.clip(distance, -max_distance, max_distance) + max_distance
    content = queries @ keys.swapaxes(1, 2)
    position = np.einsum("hid,ijd->hij", queries, table[rows])
    return (content + position) / math.sqrt(d)

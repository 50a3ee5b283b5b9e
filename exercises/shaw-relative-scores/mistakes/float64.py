# framework: numpy
"""The values are right, but the dtype is float64: `np.sqrt(d)` is a NumPy float64, and turns the array into one. Use
`math.sqrt(d)`, or `np.float32`."""

import math

import numpy as np


def relative_scores(queries, keys, max_distance, table):
    T, d = queries.shape[1:]
    places = np.arange(T)
    distance = places[None, :] - places[:, None]
    rows = np.clip(distance, -max_distance, max_distance) + max_distance
    content = queries @ keys.swapaxes(1, 2)
    position = np.einsum("hid,ijd->hij", queries, table[rows])
    return (content + position) / np.sqrt(d)

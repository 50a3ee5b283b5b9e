"""Attention scores in which every key carries a vector for its distance from the query (Shaw et al. 2018)."""

import math

import numpy as np


def relative_scores(queries, keys, max_distance, table):
    """scores[h, i, j] = queries[h, i] · (keys[h, j] + table[clip(j - i) + max_distance]) / sqrt(d)

    >>> queries, keys = np.ones((1, 3, 1), np.float32), np.zeros((1, 3, 1), np.float32)
    >>> table = np.array([[-1], [0], [1]], dtype=np.float32)
    >>> relative_scores(queries, keys, 1, table)
    array([[[ 0.,  1.,  1.],
            [-1.,  0.,  1.],
            [-1., -1.,  0.]]], dtype=float32)
    """
    T, d = queries.shape[1:]
    places = np.arange(T)
    distance = places[None, :] - places[:, None]                                # (T, T): j - i
    rows = np.clip(distance, -max_distance, max_distance) + max_distance        # (T, T): 0 to 2 * max_distance
    content = queries @ keys.swapaxes(1, 2)                                     # (H, T, T)
    position = np.einsum("hid,ijd->hij", queries, table[rows])                  # (H, T, T)
    return (content + position) / math.sqrt(d)

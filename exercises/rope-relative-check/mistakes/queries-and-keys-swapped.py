# framework: numpy
"""Your rows belong to the keys and your columns to the queries, so that every distance has the wrong sign. The distance
is key minus query, `n - m`: compute `rotated_q @ rotated_k.T`, with the query's position as the row."""

import numpy as np


def rope_relative_check(q, k, rotated_q, rotated_k, base):
    T, d = rotated_q.shape
    scores = rotated_k @ rotated_q.T
    theta = base ** (-np.arange(0, d, 2) / d)
    spread, error = [], []
    for distance in range(-(T - 1), T):
        cos, sin = np.cos(distance * theta), np.sin(distance * theta)
        even, odd = k[0::2] * cos - k[1::2] * sin, k[0::2] * sin + k[1::2] * cos
        wanted = q[0::2] @ even + q[1::2] @ odd
        diagonal = np.diagonal(scores, distance)
        spread.append(diagonal.max() - diagonal.min())
        error.append(abs(diagonal - wanted).max())
    return {"spread": np.array(spread), "error": np.array(error)}

"""Are the scores of rotated queries and keys a function of the distance, and the right one?"""

import numpy as np


def rope_relative_check(q, k, rotated_q, rotated_k, base):
    """For each distance n - m from -(T - 1) to T - 1: how far its scores are apart, and from q . R(n - m) k.

    >>> one = np.array([1.0, 0.0])
    >>> rope_relative_check(one, one, np.stack([one, one]), np.stack([one, one]), 10000.0)["spread"]
    array([0., 0., 0.])
    """
    T, d = rotated_q.shape
    scores = rotated_q @ rotated_k.T                            # (T, T): row m, column n
    distances = np.arange(-(T - 1), T)                          # (2T - 1,)
    angle = distances[:, None] * base ** (-np.arange(0, d, 2) / d)          # (2T - 1, d/2)
    along = q[0::2] * k[0::2] + q[1::2] * k[1::2]               # (d/2,): the dot product of each pair
    across = q[1::2] * k[0::2] - q[0::2] * k[1::2]              # (d/2,): with the key turned by a right angle
    wanted = np.cos(angle) @ along + np.sin(angle) @ across     # (2T - 1,): q . R(distance) k
    diagonals = [np.diagonal(scores, distance) for distance in distances]
    spread = [diagonal.max() - diagonal.min() for diagonal in diagonals]
    error = [np.abs(diagonal - score).max() for diagonal, score in zip(diagonals, wanted)]
    return {"spread": np.array(spread), "error": np.array(error)}

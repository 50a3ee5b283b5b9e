# framework: numpy
"""Your entries begin with distance 0: a negative index counts from the end, so the negative distances came last. Entry
0 belongs to the distance `-(T - 1)`, so write to `distance + T - 1`."""

import numpy as np


def rope_relative_check(q, k, rotated_q, rotated_k, base):
    T, d = rotated_q.shape
    scores = rotated_q @ rotated_k.T
    theta = base ** (-np.arange(0, d, 2) / d)
    spread, error = np.zeros(2 * T - 1), np.zeros(2 * T - 1)
    for distance in range(-(T - 1), T):
        cos, sin = np.cos(distance * theta), np.sin(distance * theta)
        even, odd = k[0::2] * cos - k[1::2] * sin, k[0::2] * sin + k[1::2] * cos
        diagonal = np.diagonal(scores, distance)
        spread[distance] = diagonal.max() - diagonal.min()
        error[distance] = np.abs(diagonal - q[0::2] @ even - q[1::2] @ odd).max()
    return {"spread": spread, "error": error}

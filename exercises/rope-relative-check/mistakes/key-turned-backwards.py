# framework: numpy
"""`spread` is right, but `error` compares with the scores of the opposite distances: you turn the key by `-distance`, or the
query by `distance`, which comes to the same. Turn the key by `n - m`: the pair `(a, b)` becomes `(a * cos - b * sin, a *
sin + b * cos)`."""

import numpy as np


def rope_relative_check(q, k, rotated_q, rotated_k, base):
    T, d = rotated_q.shape
    scores = rotated_q @ rotated_k.T
    theta = base ** (-np.arange(0, d, 2) / d)
    spread, error = [], []
    for distance in range(-(T - 1), T):
        cos, sin = np.cos(distance * theta), np.sin(distance * theta)
        even, odd = k[0::2] * cos + k[1::2] * sin, k[1::2] * cos - k[0::2] * sin
        wanted = q[0::2] @ even + q[1::2] @ odd
        diagonal = np.diagonal(scores, distance)
        spread.append(diagonal.max() - diagonal.min())
        error.append(abs(diagonal - wanted).max())
    return {"spread": np.array(spread), "error": np.array(error)}

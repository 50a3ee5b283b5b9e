# framework: numpy
import numpy as np


def rope_relative_check(q, k, rotated_q, rotated_k, base):
    T, d = rotated_q.shape
    scores = rotated_q @ rotated_k.T                                # (T, T)
    theta = base ** (-np.arange(0, d, 2) / d)                       # (d/2,)
    spread, error = [], []
    for distance in range(-(T - 1), T):
        cos, sin = np.cos(distance * theta), np.sin(distance * theta)
        turned = np.empty(d)
        turned[0::2] = k[0::2] * cos - k[1::2] * sin
        turned[1::2] = k[0::2] * sin + k[1::2] * cos
        diagonal = np.diagonal(scores, distance)
        spread.append(np.ptp(diagonal))
        error.append(np.abs(diagonal - q @ turned).max())
    return {"spread": np.array(spread), "error": np.array(error)}

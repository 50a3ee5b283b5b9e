# framework: numpy
import numpy as np


def pairwise_distances(a, b):
    return np.linalg.norm(a[:, None] - b, axis=2)       # (N, 1, D) - (M, D) -> (N, M, D) -> (N, M)

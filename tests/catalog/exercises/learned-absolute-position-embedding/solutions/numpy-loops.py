# framework: numpy
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    N, T = positions.shape
    out = np.empty((N, T, embedding_table.shape[1]), dtype=embedding_table.dtype)
    for n in range(N):
        for t in range(T):
            out[n, t] = embedding_table[int(positions[n, t])]
    return out

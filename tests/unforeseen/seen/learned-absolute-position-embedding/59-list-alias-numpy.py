# cause: A nested list made by multiplication: all sentences share one list, so that each holds the last sentence's rows.
# names: same list|one list|last sentence|share
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    N, T = positions.shape
    out = [[None] * T] * N
    for n in range(N):
        for t in range(T):
            out[n][t] = embedding_table[int(positions[n, t])]
    return np.array(out)

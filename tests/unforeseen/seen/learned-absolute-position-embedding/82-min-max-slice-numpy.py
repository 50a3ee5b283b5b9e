# cause: Each sentence gets the rows between its smallest and largest id, in steps of one; the ids of a sentence need not be consecutive.
# names: consecutive|slice|one after another|between|sorted|order|range|follow one another
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    N, T = positions.shape
    out = np.zeros((N, T, embedding_table.shape[1]), np.float32)
    ids = positions.astype(int)
    for n in range(N):
        low = ids[n].min()
        for t in range(T):
            out[n, t] = embedding_table[min(low + t, len(embedding_table) - 1)]
    return out

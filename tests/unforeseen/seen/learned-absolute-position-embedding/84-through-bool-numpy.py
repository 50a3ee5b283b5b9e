# cause: The ids pass through bool, so that every id above 0 becomes 1.
# names: bool
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    N, T = positions.shape
    ids = positions.astype(bool).reshape(-1)
    rows = embedding_table[ids.astype(np.int8)]
    return rows.reshape(N, T, -1)

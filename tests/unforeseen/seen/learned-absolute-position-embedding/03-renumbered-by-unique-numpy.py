# cause: np.unique's inverse renumbers the ids 0, 1, 2, … by rank, so with gaps in the ids the wrong rows are taken; index with the ids themselves.
# names: unique|inverse|renumber|\branks?\b|\bgaps?\b|consecutive|(missing|skipped|unused) (ids|positions|numbers)
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    # get integer indices for the positions
    uniq, idx = np.unique(positions, return_inverse=True)
    idx = idx.reshape(positions.shape)
    return embedding_table[idx]

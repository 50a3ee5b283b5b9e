# cause: np.unique with return_inverse gives the rank of each id among the ids that occur, not the id itself, so a gap in the ids shifts all later rows.
# names: unique|inverse|\brank|renumber|\bgaps?\b|(count|number)\w*.{0,20}(anew|consecutive|without gaps)|among the ids|compress
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    # turn the float ids into integer ids 0, 1, 2, ...
    _, ids = np.unique(positions, return_inverse=True)
    ids = ids.reshape(positions.shape)
    return embedding_table[ids]

# cause: ids are clipped to max_len - 2, so the last row never comes.
# names: last row|clip|row before|one (row )?(less|early|short)
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    ids = np.clip(positions.astype(int), 0, len(embedding_table) - 2)
    return embedding_table[ids]

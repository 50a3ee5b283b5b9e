# cause: The ids are clipped to the number of columns, embedding_table.shape[1], so every id from there on gets the same earlier row; the number of rows is shape[0].
# names: \bclip|\bclamp(ed|ing)?\b|limited|capped|shape\[[01]\]|number of (columns|features|rows)|(largest|last|highest) (allowed )?id|minimum
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    last = embedding_table.shape[1] - 1
    ids = np.clip(positions.astype(np.int32), 0, last)   # stay inside the table
    return np.take(embedding_table, ids, axis=0)

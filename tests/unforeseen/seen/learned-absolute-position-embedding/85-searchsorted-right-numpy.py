# cause: searchsorted with side='right' counts the ids that are at most as large, which is one more than the id.
# names: one (row )?(too|after|late|high)|row after|side|searchsorted|off by one|right
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    max_len = len(embedding_table)
    ids = np.searchsorted(np.arange(max_len), positions, side="right")
    ids = np.minimum(ids, max_len - 1)
    return embedding_table[ids]

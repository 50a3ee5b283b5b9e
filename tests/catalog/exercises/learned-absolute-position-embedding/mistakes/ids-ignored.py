# framework: numpy
"""Your output does not depend on the ids: every sentence gets rows 0, 1, 2, …. Ids may repeat, skip or run
backwards, so look each one up: `embedding_table[ids]`, with `ids` the positions cast to integers."""

import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    N, T = positions.shape
    return np.broadcast_to(embedding_table[:T], (N, T, embedding_table.shape[1])).copy()

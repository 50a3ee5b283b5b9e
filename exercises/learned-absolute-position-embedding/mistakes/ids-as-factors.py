# framework: numpy
"""You multiply the rows 0, 1, 2, … by the ids. An id is no factor: it says which row to take. Cast the ids to integers
and index with them, `embedding_table[ids]`."""

import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    rows = embedding_table[np.arange(positions.shape[1]) % len(embedding_table)]
    return positions[:, :, None] * rows

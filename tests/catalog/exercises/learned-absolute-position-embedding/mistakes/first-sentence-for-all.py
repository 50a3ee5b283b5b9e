# framework: numpy
"""Every sentence got the vectors of the first one. The ids differ from sentence to sentence, so look all of
them up: `embedding_table[ids]` rather than a copy of `embedding_table[ids[0]]`."""

import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(np.int64)
    N, T = ids.shape
    return np.tile(embedding_table[ids[0]], (N, 1, 1))

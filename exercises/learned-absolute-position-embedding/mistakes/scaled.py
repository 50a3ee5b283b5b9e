# framework: numpy
"""Your vectors are `sqrt(d_model)` times too large. Vaswani et al. scale token embeddings like that; the row of a
position is returned as it is."""

import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(np.int64)
    return embedding_table[ids] * np.float32(np.sqrt(embedding_table.shape[1]))

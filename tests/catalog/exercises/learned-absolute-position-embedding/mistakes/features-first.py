# framework: numpy
"""Your output has the shape `(N, d_model, T)`, features before tokens. Leave out the transpose:
`embedding_table[ids]` already ends in `d_model`."""

import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(np.int64)
    return embedding_table[ids].transpose(0, 2, 1)

# framework: numpy
"""The numbers are right, but each sentence has become one long line of `T*d_model` numbers. Keep the last axis:
`embedding_table[ids]` already has the shape `(N, T, d_model)`."""

import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(np.int64)
    return embedding_table[ids].reshape(ids.shape[0], -1)

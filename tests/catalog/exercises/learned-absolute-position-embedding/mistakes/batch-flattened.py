# framework: numpy
"""The vectors are right, but in the shape `(N*T, d_model)`: flattening the ids joined the sentences together. Index
with the ids as they are, or put the shape back with `.reshape(N, T, d_model)`."""

import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(np.int64)
    return embedding_table[ids.reshape(-1)]

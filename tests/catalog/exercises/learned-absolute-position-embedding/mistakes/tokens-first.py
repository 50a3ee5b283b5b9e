# framework: numpy
"""The tokens come before the sentences in your output, `(T, N, d_model)`. Here the sentence axis is first:
index with the ids as they are, without a transpose."""

import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(np.int64)
    return embedding_table[ids.T]

# framework: numpy
# verdict: runtime_error
"""You looked the ids up among the columns: `embedding_table[:, ids]` indexes the features. Positions are the
first axis, so write `embedding_table[ids]`."""

import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(np.int64)
    return embedding_table[:, ids]

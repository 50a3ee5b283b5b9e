# framework: numpy
# verdict: runtime_error
"""`np.take` will not turn your float32 ids into integers automatically. Cast them first: `np.take(embedding_table,
positions.astype(np.int64), axis=0)`."""

import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    return np.take(embedding_table, positions, axis=0)

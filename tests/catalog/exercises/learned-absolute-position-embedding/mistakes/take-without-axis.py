# framework: numpy
"""Without an axis, `take` flattens the table and picks single numbers from it instead of rows. Say which axis,
`take(embedding_table, ids, axis=0)`, or index: `embedding_table[ids]`."""

import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(np.int64)
    return np.take(embedding_table, ids)

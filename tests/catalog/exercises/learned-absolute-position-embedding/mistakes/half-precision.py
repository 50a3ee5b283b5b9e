# framework: numpy
"""You return float16, which keeps about three digits. The table is float32 and nothing is computed, so return
its rows as they are: `embedding_table[ids]`."""

import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(np.int64)
    return embedding_table.astype(np.float16)[ids]

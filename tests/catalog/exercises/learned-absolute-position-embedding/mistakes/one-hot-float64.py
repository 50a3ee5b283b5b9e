# framework: numpy
"""The values are right, but the dtype has become float64; the table is float32. NumPy's `zeros`, `empty` and `eye`
make float64 unless told otherwise: give them `dtype=np.float32`, or index directly, `embedding_table[ids]`."""

import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(np.int64)
    max_len = embedding_table.shape[0]
    return np.eye(max_len)[ids] @ embedding_table

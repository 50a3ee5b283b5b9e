"""A learned absolute position embedding, forward: each position id picks its row of the table."""

import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    """out[n, t, :] = embedding_table[positions[n, t], :]

    >>> table = np.array([[0.1, 0.2], [1.1, 1.2], [2.1, 2.2]], dtype=np.float32)
    >>> learned_absolute_position_embedding(np.array([[0.0, 2.0]], dtype=np.float32), table)
    array([[[0.1, 0.2],
            [2.1, 2.2]]], dtype=float32)
    """
    ids = positions.astype(np.int64)        # (N, T): whole numbers that arrive as floats
    return embedding_table[ids]             # (N, T, d_model): every id is replaced by a row

"""The input of the first layer: scaled token vectors plus the rows of their positions."""

import numpy as np


def add_positions(tokens, position_table, position_ids):
    """out[n, t] = sqrt(d_model) * tokens[n, t] + position_table[position_ids[n, t]]

    >>> tokens = np.array([[[0.5, 0.0, 0.0, 0.0]]], dtype=np.float32)
    >>> table = np.array([[0.25, 0.25, 0.25, 0.25], [0.5, 0.5, 0.5, 0.5]], dtype=np.float32)
    >>> add_positions(tokens, table, np.array([[1]], dtype=np.int32))
    array([[[1.5, 0.5, 0.5, 0.5]]], dtype=float32)
    """
    T, d_model = tokens.shape[1:]
    if position_ids is None:
        position_ids = np.arange(T)                     # (T,): broadcast over the sentences
    rows = position_table[position_ids]                 # (N, T, d_model) or (T, d_model)
    scale = np.sqrt(d_model).astype(np.float32)
    return scale * tokens + rows                        # (N, T, d_model)

# framework: numpy
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    max_len = embedding_table.shape[0]
    one_hot = (positions[..., None] == np.arange(max_len)).astype(np.float32)   # (N, T, max_len)
    return one_hot @ embedding_table                                            # (N, T, d_model)

# framework: numpy
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    return np.take(embedding_table, positions.astype(int), axis=0)      # (N, T, d_model)

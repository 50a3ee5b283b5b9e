# cause: The result is reshaped to (T, N, d) and then back by transpose, mixing rows.
# names: reshape|order|transpose|turn|row
import torch


def learned_absolute_position_embedding(positions, embedding_table):
    N, T = positions.shape
    flat = embedding_table[positions.T.reshape(-1).long()]
    return flat.reshape(N, T, -1)

# cause: The first T rows are taken for every sentence with expand, and positions is not used.
# names: does not depend on|ignore|never use|first T rows|rows 0, 1
import torch


def learned_absolute_position_embedding(positions, embedding_table):
    N, T = positions.shape
    rows = embedding_table[:T]
    return rows.unsqueeze(0).expand(N, T, rows.shape[1])

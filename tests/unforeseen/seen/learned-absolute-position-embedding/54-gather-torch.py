# cause: gather along dim 0 with index of one column only: index isn't expanded, so only the first feature is taken.
# names: gather|feature|shape|d_model
import torch


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.long().reshape(-1, 1)
    rows = embedding_table.gather(0, ids)
    return rows.reshape(*positions.shape, -1)

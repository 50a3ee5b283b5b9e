# cause: PyTorch reads a uint8 index as a mask of true and false, not as row numbers; cast the ids with .long().
# names: uint8|\bbytes?\b|boolean|as a mask|(is|like) a mask|true and false|8[- ]bit
import torch


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.to(torch.uint8)  # always >= 0
    return embedding_table[ids]

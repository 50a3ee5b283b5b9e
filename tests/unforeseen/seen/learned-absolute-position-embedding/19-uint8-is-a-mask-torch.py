# cause: PyTorch takes a uint8 tensor in brackets as a mask of yes and no, not as indices; cast with .long().
# names: uint8|\bbytes?\b|\bmask|boolean|8.?bit
import torch


def learned_absolute_position_embedding(positions, embedding_table):
    pos = positions.to(torch.uint8)
    return embedding_table[pos]

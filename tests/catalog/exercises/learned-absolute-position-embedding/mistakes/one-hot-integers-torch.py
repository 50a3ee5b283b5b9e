# framework: torch
# verdict: runtime_error
"""`F.one_hot` makes integers, and PyTorch will not multiply those with a float32 table. Write `F.one_hot(ids,
max_len).float() @ embedding_table`, or simply `embedding_table[ids]`."""

import torch.nn.functional as F


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.long()
    max_len = embedding_table.shape[0]
    return F.one_hot(ids, max_len) @ embedding_table

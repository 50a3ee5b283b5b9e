# framework: torch
# verdict: runtime_error
"""`torch.nn.functional.embedding` takes the ids first, as integers, and then the table, but your first argument
holds floats. Write `F.embedding(positions.long(), embedding_table)`."""

import torch.nn.functional as F


def learned_absolute_position_embedding(positions, embedding_table):
    return F.embedding(positions, embedding_table)

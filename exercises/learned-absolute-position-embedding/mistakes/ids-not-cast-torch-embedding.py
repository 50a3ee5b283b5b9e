# framework: torch
# verdict: runtime_error
"""`torch.nn.functional.embedding` wants integer ids, and yours are still float32. Cast them first:
`F.embedding(positions.long(), embedding_table)`."""

import torch.nn.functional as F


def learned_absolute_position_embedding(positions, embedding_table):
    return F.embedding(positions, embedding_table)

# framework: torch
# verdict: runtime_error
"""PyTorch indexes with int64 or int32, but your ids have another dtype; they arrive as float32. Cast them first:
`ids = positions.long()`."""


def learned_absolute_position_embedding(positions, embedding_table):
    return embedding_table[positions]

# framework: torch
# verdict: runtime_error
"""Your ids are still float32, and PyTorch indexes with integers only. Cast them first: `ids =
positions.long()`."""


def learned_absolute_position_embedding(positions, embedding_table):
    return embedding_table[positions]

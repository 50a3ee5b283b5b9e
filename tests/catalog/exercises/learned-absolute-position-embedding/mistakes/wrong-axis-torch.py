# framework: torch
# verdict: runtime_error
"""You looked the ids up among the columns, as `embedding_table[:, ids]` does: axis 1 holds the features. Positions
are axis 0, so write `embedding_table[ids]`."""

import torch


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.long()
    return embedding_table[:, ids]

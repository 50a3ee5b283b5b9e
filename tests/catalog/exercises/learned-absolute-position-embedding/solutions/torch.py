# framework: torch
import torch


def learned_absolute_position_embedding(positions: torch.Tensor, embedding_table: torch.Tensor) -> torch.Tensor:
    return embedding_table[positions.long()]                # (N, T, d_model)

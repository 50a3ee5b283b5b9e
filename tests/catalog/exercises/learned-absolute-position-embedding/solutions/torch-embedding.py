# framework: torch
import torch
from torch import nn


class LearnedPositions(nn.Module):
    def __init__(self, table: torch.Tensor) -> None:
        super().__init__()
        self.embedding = nn.Embedding.from_pretrained(table, freeze=False)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return self.embedding(ids)                          # (N, T, d_model)


def learned_absolute_position_embedding(positions, embedding_table):
    return LearnedPositions(embedding_table)(positions.to(torch.int64))

# framework: torch
"""You cut sequences that are too long down to `max_len` tokens. The caller would never know that tokens are missing:
raise a `ValueError`."""

import torch
from torch import nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Parameter(torch.empty(max_len, d_model))
        nn.init.normal_(self.table, std=0.02)

    def forward(self, x):
        T, max_len = x.shape[1], self.table.shape[0]
        return x[:, :max_len] + self.table[:T]

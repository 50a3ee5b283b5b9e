# framework: torch
# verdict: runtime_error
"""A sequence that is too long must be refused with a `ValueError` of your own. Otherwise PyTorch fails with a message
about tensor sizes, or, for a table of one row, silently gives every token the same position."""

import torch
from torch import nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Parameter(torch.empty(max_len, d_model))
        nn.init.normal_(self.table, std=0.02)

    def forward(self, x):
        T, max_len = x.shape[1], self.table.shape[0]
        return x + self.table[:T]

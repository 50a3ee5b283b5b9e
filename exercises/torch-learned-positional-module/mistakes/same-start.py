# framework: torch
"""Every module that you make starts with the same table. Leave out `torch.manual_seed` in `__init__`: the caller sets the
seed."""

import torch
from torch import nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        torch.manual_seed(0)
        self.table = nn.Parameter(torch.empty(max_len, d_model))
        nn.init.normal_(self.table, std=0.02)

    def forward(self, x):
        T, max_len = x.shape[1], self.table.shape[0]
        if T > max_len:
            raise ValueError(f"{T} tokens, but the table has only {max_len} rows")
        return x + self.table[:T]

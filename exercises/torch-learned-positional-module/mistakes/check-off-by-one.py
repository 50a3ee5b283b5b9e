# framework: torch
# verdict: runtime_error
"""You refuse a sequence of exactly `max_len` tokens, for which there are just enough rows. Refuse only `T >
max_len`."""

import torch
from torch import nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Parameter(torch.empty(max_len, d_model))
        nn.init.normal_(self.table, std=0.02)

    def forward(self, x):
        T, max_len = x.shape[1], self.table.shape[0]
        if T >= max_len:
            raise ValueError(f"{T} tokens, but the table has only {max_len} rows")
        return x + self.table[:T]

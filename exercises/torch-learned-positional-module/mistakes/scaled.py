# framework: torch
"""You scale the tokens by the root of `d_model` first. The transformer paper does that to its token embeddings, but it
is not part of this module: return `x + self.table[:T]`."""

import torch
from torch import nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Parameter(torch.empty(max_len, d_model))
        nn.init.normal_(self.table, std=0.02)

    def forward(self, x):
        T, max_len = x.shape[1], self.table.shape[0]
        if T > max_len:
            raise ValueError(f"{T} tokens, but the table has only {max_len} rows")
        return x * x.shape[2] ** 0.5 + self.table[:T]

# framework: torch
"""Your numbers are cut off at two standard deviations, which leaves a standard deviation of only about 0.018. Here the
plain normal distribution is asked for: `nn.init.normal_(self.table, std=0.02)`."""

import torch
from torch import nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Parameter(torch.empty(max_len, d_model))
        nn.init.trunc_normal_(self.table, std=0.02, a=-0.04, b=0.04)

    def forward(self, x):
        T, max_len = x.shape[1], self.table.shape[0]
        if T > max_len:
            raise ValueError(f"{T} tokens, but the table has only {max_len} rows")
        return x + self.table[:T]

# framework: torch
"""You give the tokens past the end the last row again, so the model cannot tell them apart. Raise a `ValueError` if `T
> max_len`."""

import torch
from torch import nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Parameter(torch.empty(max_len, d_model))
        nn.init.normal_(self.table, std=0.02)

    def forward(self, x):
        T, max_len = x.shape[1], self.table.shape[0]
        return x + self.table[torch.arange(T).clamp(max=max_len - 1)]

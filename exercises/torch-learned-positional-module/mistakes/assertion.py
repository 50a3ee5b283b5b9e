# framework: torch
# verdict: runtime_error
"""A failed `assert` is an AssertionError, and vanishes when Python runs with `-O`. Write `raise ValueError(…)`."""

import torch
from torch import nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Parameter(torch.empty(max_len, d_model))
        nn.init.normal_(self.table, std=0.02)

    def forward(self, x):
        T, max_len = x.shape[1], self.table.shape[0]
        assert T <= max_len, "too many tokens"
        return x + self.table[:T]

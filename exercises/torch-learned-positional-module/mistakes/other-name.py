# framework: torch
# verdict: runtime_error
"""Your parameter is called `weight`. Its name is how checkpoints find it: call it `table`."""

import torch
from torch import nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(max_len, d_model))
        nn.init.normal_(self.weight, std=0.02)

    def forward(self, x):
        T, max_len = x.shape[1], self.weight.shape[0]
        if T > max_len:
            raise ValueError(f"{T} tokens, but the table has only {max_len} rows")
        return x + self.weight[:T]

# framework: torch
# verdict: runtime_error
"""Your parameter is called `table.weight`: the `weight` of an `nn.Embedding` inside your module. Store an
`nn.Parameter` itself as `self.table`, so that its key in `state_dict` is `table`."""

import torch
from torch import nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)
        nn.init.normal_(self.table.weight, std=0.02)

    def forward(self, x):
        T, max_len = x.shape[1], self.table.weight.shape[0]
        if T > max_len:
            raise ValueError(f"{T} tokens, but the table has only {max_len} rows")
        return x + self.table(torch.arange(T))

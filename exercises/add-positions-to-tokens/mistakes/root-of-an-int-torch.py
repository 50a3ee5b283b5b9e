# framework: torch
# verdict: runtime_error
"""`torch.sqrt` takes a tensor, and `d_model` is a Python int. Write `math.sqrt(d_model)` or `d_model ** 0.5`."""

import torch


def add_positions(tokens, position_table, position_ids):
    N, T, d_model = tokens.shape
    ids = torch.arange(T) if position_ids is None else position_ids
    return torch.sqrt(d_model) * tokens + position_table[ids]

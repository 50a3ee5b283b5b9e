# framework: torch
# verdict: runtime_error
"""`torch.index_select` picks whole rows or whole columns, so it returns more numbers than `index` has. Here each row (or
column) has places of its own: `torch.gather(x, axis, index)`."""

import torch


def gather_along_axis(x, index, axis):
    return torch.index_select(x, axis, index.flatten()).reshape(index.shape)

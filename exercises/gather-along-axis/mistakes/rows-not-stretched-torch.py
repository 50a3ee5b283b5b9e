# framework: torch
# verdict: runtime_error
"""Your array of rows, `torch.arange(N)`, lines up with the columns of the index. Make it a column:
`torch.arange(N)[:, None]`."""

import torch


def gather_along_axis(x, index, axis):
    if axis in (0, -2):
        return x[index, torch.arange(x.shape[1])]
    return x[torch.arange(x.shape[0]), index]

# framework: torch
# verdict: runtime_error
"""You gather along the other axis: the index took the place that should stay. Along axis 1 the index names the columns,
`x[i, index[i, j]]`."""

import torch


def gather_along_axis(x, index, axis):
    return torch.gather(x, 1 - axis % 2, index)

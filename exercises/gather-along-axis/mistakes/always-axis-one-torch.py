# framework: torch
# verdict: runtime_error
"""You gather along axis 1, whatever `axis` says. Use the argument: along axis 0 the index names the rows, and the columns
stay."""

import torch


def gather_along_axis(x, index, axis):
    return torch.gather(x, 1, index)

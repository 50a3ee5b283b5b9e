# framework: torch
# verdict: runtime_error
"""`torch.gather` takes the axis second and the index third: `torch.gather(x, axis, index)`."""

import torch


def gather_along_axis(x, index, axis):
    return torch.gather(x, index, axis)

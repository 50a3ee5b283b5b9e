# framework: torch
"""The shape is right, but your indices count through the flattened array, as `torch.take` does: all numbers come from the
first row or rows. Use `torch.gather(x, axis, index)`."""

import torch


def gather_along_axis(x, index, axis):
    return torch.take(x, index)

# framework: torch
import torch


def gather_along_axis(x, index, axis):
    return torch.gather(x, axis, index)                             # (I, J)

# framework: torch
"""Your variance is divided by `D - 1`, as `torch.var` and `torch.std` do by default. Layer normalisation divides by
`D`: pass `correction=0`."""

import torch


def layer_norm(x, scale, shift, eps):
    variance = x.var(dim=-1, keepdim=True)
    return scale * (x - x.mean(dim=-1, keepdim=True)) / torch.sqrt(variance + eps) + shift

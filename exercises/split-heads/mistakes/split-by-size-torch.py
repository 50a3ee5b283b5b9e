# framework: torch
"""You have `d` heads of `H` numbers each; it should be `H` heads of `d` numbers. With `reshape`, cut the last axis into
`(H, D // H)`. `split(x, H)` makes pieces of length H in PyTorch: use `x.split(D // H, dim=-1)` or `x.chunk(H, dim=-1)`."""

import torch


def split_heads(x, H):
    return torch.stack(torch.split(x, H, dim=-1), dim=1)

# framework: torch
# verdict: runtime_error
"""`a - b` lines up the rows of `a` with the rows of `b`, which fails unless there are as many, and pairs row n only with
row n. Insert an axis, `a[:, None, :] - b[None, :, :]`, so that every row meets every other."""

import torch


def pairwise_distances(a, b):
    return torch.sqrt(((a - b) ** 2).sum(dim=-1))

# framework: torch
"""The positions are right, but your tensor is int64. `arange` makes that in PyTorch: end with `.to(torch.int32)`."""

import torch


def packed_positions(segment_ids):
    N, T = segment_ids.shape
    place = torch.arange(T).expand(N, T)
    starts = torch.ones(N, T, dtype=torch.bool)
    starts[:, 1:] = segment_ids[:, 1:] != segment_ids[:, :-1]
    start = torch.where(starts, place, 0).cummax(dim=1).values
    return torch.where(segment_ids == 0, 0, place - start)

# framework: torch
"""From the third document of a row on, your positions are wrong: a running sum adds all starts up. Carry the latest
start on with the running maximum, `cummax`."""

import torch


def packed_positions(segment_ids):
    N, T = segment_ids.shape
    place = torch.arange(T).expand(N, T)
    starts = torch.ones(N, T, dtype=torch.bool)
    starts[:, 1:] = segment_ids[:, 1:] != segment_ids[:, :-1]
    start = torch.where(starts, place, 0).cumsum(dim=1)
    return torch.where(segment_ids == 0, 0, place - start).to(torch.int32)

# framework: torch
import torch


def packed_positions(segment_ids):
    N, T = segment_ids.shape
    place = torch.arange(T).expand(N, T)
    starts = torch.ones(N, T, dtype=torch.bool)
    starts[:, 1:] = segment_ids[:, 1:] != segment_ids[:, :-1]
    latest_start = torch.where(starts, place, 0).cummax(dim=1).values       # (N, T)
    return torch.where(segment_ids == 0, 0, place - latest_start).to(torch.int32)

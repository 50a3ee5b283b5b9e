# framework: torch
"""The documents are right, but you count the padding like one more document. Where the id is 0, the position is 0."""

import torch


def packed_positions(segment_ids):
    N, T = segment_ids.shape
    place = torch.arange(T).expand(N, T)
    starts = torch.ones(N, T, dtype=torch.bool)
    starts[:, 1:] = segment_ids[:, 1:] != segment_ids[:, :-1]
    start = torch.where(starts, place, 0).cummax(dim=1).values
    return (place - start).to(torch.int32)

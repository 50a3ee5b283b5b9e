# framework: torch
"""You count all earlier tokens of the row with the same id. An id that comes back begins a new document, at 0: only an
unbroken run of equal ids belongs together."""

import torch


def packed_positions(segment_ids):
    same = segment_ids[:, :, None] == segment_ids[:, None, :]
    count = same.tril().sum(dim=2) - 1
    return torch.where(segment_ids == 0, 0, count).to(torch.int32)

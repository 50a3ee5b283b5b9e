# framework: torch
"""You compare the first token of each row with the last one: at `t = 0`, the index `t - 1` is -1, the end of the row.
The first token has nothing before it and is always at 0, so begin the loop at 1."""

import torch


def packed_positions(segment_ids):
    positions = torch.zeros_like(segment_ids)
    N, T = segment_ids.shape
    for n in range(N):
        for t in range(T):
            if segment_ids[n, t] == segment_ids[n, t - 1]:
                positions[n, t] = positions[n, t - 1] + 1
    return positions * (segment_ids != 0)

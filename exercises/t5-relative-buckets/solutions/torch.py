# framework: torch
import math

import torch


def t5_relative_buckets(relative_positions, bidirectional, num_buckets, max_distance):
    if bidirectional:
        num_buckets //= 2
        start = (relative_positions > 0).long() * num_buckets
        distance = relative_positions.abs()
    else:
        start, distance = 0, (-relative_positions).clamp(min=0)
    exact = num_buckets // 2
    growth = torch.log(distance.float() / exact) / math.log(max_distance / exact)
    far = exact + (growth * (num_buckets - exact)).long()
    return (start + torch.where(distance < exact, distance, far.clamp(max=num_buckets - 1))).to(torch.int32)

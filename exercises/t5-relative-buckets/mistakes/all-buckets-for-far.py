# framework: torch
"""Your far distances climb through the buckets too fast: you multiplied by the number of all buckets. The first `e`
are for near distances, so `B - e` are left."""

import math

import torch


def t5_relative_buckets(relative_positions, bidirectional, num_buckets, max_distance):
    if bidirectional:
        num_buckets //= 2
        start = (relative_positions > 0) * num_buckets
        distance = relative_positions.abs()
    else:
        start = 0
        distance = (-relative_positions).clamp(min=0)
    exact = num_buckets // 2
    growth = torch.log(distance.clamp(min=exact) / exact) / math.log(max_distance / exact)
    far = exact + (growth * num_buckets).to(torch.int32)
    far = far.clamp(max=num_buckets - 1)
    return (start + torch.where(distance < exact, distance, far)).to(torch.int32)

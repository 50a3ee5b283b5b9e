# framework: torch
"""Keys before the query have their distance as their bucket, however far they are. Their relative position `r` is
negative, so it is always below `e`: compare the distance `n` with `e`, not `r`."""

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
    growth = torch.log(distance.clamp(min=1) / exact) / math.log(max_distance / exact)
    far = exact + (growth * (num_buckets - exact)).to(torch.int32)
    far = far.clamp(max=num_buckets - 1)
    return (start + torch.where(relative_positions < exact, distance, far)).to(torch.int32)

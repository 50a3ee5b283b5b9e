# framework: torch
"""Near distances share your buckets, too. Below `e`, half of the buckets, each distance has a bucket of its own:
return the distance itself there."""

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
    far = (torch.log(distance.clamp(min=1)) / math.log(max_distance) * num_buckets).to(torch.int32)
    return (start + far.clamp(max=num_buckets - 1)).to(torch.int32)

# framework: torch
"""In the causal case you measured the keys after the query and put the past into bucket 0. It is the other way
round: the distance is `max(-r, 0)`, with a minus."""

import math

import torch


def t5_relative_buckets(relative_positions, bidirectional, num_buckets, max_distance):
    if bidirectional:
        num_buckets //= 2
        start = (relative_positions > 0) * num_buckets
        distance = relative_positions.abs()
    else:
        start = 0
        distance = relative_positions.clamp(min=0)
    exact = num_buckets // 2
    growth = torch.log(distance.clamp(min=exact) / exact) / math.log(max_distance / exact)
    far = exact + (growth * (num_buckets - exact)).to(torch.int32)
    far = far.clamp(max=num_buckets - 1)
    return (start + torch.where(distance < exact, distance, far)).to(torch.int32)

# framework: torch
"""The distances are right, but your mask depends on the place in the array: the last query sees all keys, the one
before it all but the last key, and so on. That fits a cache in order only. Here positions may skip, repeat and run
backwards: compare the positions themselves to find the keys in the future."""

import torch


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = 2.0 ** (-8 * torch.arange(1, heads + 1) / heads)
    distance = query_positions[:, None] - key_positions
    bias = -slopes[:, None, None] * distance
    seen = torch.ones(distance.shape).tril(len(key_positions) - len(query_positions))
    return bias.masked_fill(seen == 0, float("-inf"))

# framework: torch
"""Your slopes are powers of e, as `exp` gives them. The base here is 2, with the same exponents."""

import torch


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = torch.exp(-8 * torch.arange(1, heads + 1) / heads)
    distance = query_positions[:, None] - key_positions
    bias = -slopes[:, None, None] * distance
    return bias.masked_fill(distance < 0, float("-inf"))

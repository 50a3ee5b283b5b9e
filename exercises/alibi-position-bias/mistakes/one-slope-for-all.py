# framework: torch
"""All of your heads have the slope of the first one. Each has its own: `2 ** (-8 * (h + 1) / heads)` for head `h`."""

import torch


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = 2.0 ** (-8 * torch.ones(heads) / heads)
    distance = query_positions[:, None] - key_positions
    bias = -slopes[:, None, None] * distance
    return bias.masked_fill(distance < 0, float("-inf"))

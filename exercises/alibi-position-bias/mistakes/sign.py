# framework: torch
"""Your bias grows with the distance, so that far keys win. It is a penalty: minus the slope times the distance."""

import torch


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = 2.0 ** (-8 * torch.arange(1, heads + 1) / heads)
    distance = query_positions[:, None] - key_positions
    bias = slopes[:, None, None] * distance
    return bias.masked_fill(distance < 0, float("-inf"))

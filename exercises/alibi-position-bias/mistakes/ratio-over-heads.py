# framework: torch
"""Your exponents run from `-1 / heads` to -1, without the 8. Multiply by it: `-8 * (h + 1) / heads`."""

import torch


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = 2.0 ** (-torch.arange(1, heads + 1) / heads)
    distance = query_positions[:, None] - key_positions
    bias = -slopes[:, None, None] * distance
    return bias.masked_fill(distance < 0, float("-inf"))

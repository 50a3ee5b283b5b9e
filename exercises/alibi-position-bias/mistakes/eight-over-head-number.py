# framework: torch
"""You divided 8 by the number of the head. The exponent is `-8 * (h + 1) / heads`: the number of the head multiplies,
and the number of heads divides."""

import torch


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = 2.0 ** (-8 / torch.arange(1, heads + 1))
    distance = query_positions[:, None] - key_positions
    bias = -slopes[:, None, None] * distance
    return bias.masked_fill(distance < 0, float("-inf"))

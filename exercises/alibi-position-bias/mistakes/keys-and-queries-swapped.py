# framework: torch
"""Your rows belong to the keys and your columns to the queries. The shape is `(heads, Q, K)`: a row for each query."""

import torch


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = 2.0 ** (-8 * torch.arange(1, heads + 1) / heads)
    distance = query_positions[:, None] - key_positions
    bias = -slopes[:, None, None] * distance
    bias = bias.masked_fill(distance < 0, float("-inf"))
    return bias.transpose(1, 2)

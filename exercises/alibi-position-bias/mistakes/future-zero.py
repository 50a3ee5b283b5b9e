# framework: torch
"""Keys in the future have the bias 0, as if they were at the query's own place. To hide them from softmax, their bias
must be `-inf`."""

import torch


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = 2.0 ** (-8 * torch.arange(1, heads + 1) / heads)
    distance = query_positions[:, None] - key_positions
    bias = -slopes[:, None, None] * distance
    return bias.masked_fill(distance < 0, 0.0)

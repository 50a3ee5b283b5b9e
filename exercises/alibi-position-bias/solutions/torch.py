# framework: torch
import torch


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = 2.0 ** (-8 * torch.arange(1, heads + 1) / heads)           # (heads,)
    distance = query_positions[:, None] - key_positions                 # (Q, K)
    bias = -slopes[:, None, None] * distance                            # (heads, Q, K)
    return bias.masked_fill(distance < 0, float("-inf"))

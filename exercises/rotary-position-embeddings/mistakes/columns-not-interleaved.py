# framework: torch
"""The numbers are right, but in the wrong order: all first numbers of the pairs stand before all second ones. Stack
them on a new last axis and then flatten it, so that each pair is side by side again."""

import torch


def rotary_position_embeddings(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-torch.arange(0, d, 2) / d)
    angle = positions[..., None] * theta
    cos, sin = torch.cos(angle), torch.sin(angle)
    even, odd = x[..., 0::2], x[..., 1::2]
    new_even = even * cos - odd * sin
    new_odd = even * sin + odd * cos
    return torch.cat([new_even, new_odd], dim=-1)

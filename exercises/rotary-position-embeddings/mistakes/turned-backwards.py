# framework: torch
"""You turned each pair the other way round, by the angle `-m * theta`. The minus belongs to `sin` in the even columns:
`even * cos - odd * sin`, and `even * sin + odd * cos` in the odd ones."""

import torch


def rotary_position_embeddings(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-torch.arange(0, d, 2) / d)
    angle = positions[..., None] * theta
    cos, sin = torch.cos(angle), torch.sin(angle)
    even, odd = x[..., 0::2], x[..., 1::2]
    new_even = even * cos + odd * sin
    new_odd = odd * cos - even * sin
    return torch.stack([new_even, new_odd], dim=-1).reshape(x.shape)

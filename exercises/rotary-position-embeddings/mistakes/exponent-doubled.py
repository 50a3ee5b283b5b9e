# framework: torch
"""The exponent of `base` is twice too large in your speeds. The even numbers 0, 2, 4, … are `2i` already, so divide
them by `d` and leave out the other factor of two."""

import torch


def rotary_position_embeddings(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-2 * torch.arange(0, d, 2) / d)
    angle = positions[..., None] * theta
    cos, sin = torch.cos(angle), torch.sin(angle)
    even, odd = x[..., 0::2], x[..., 1::2]
    new_even = even * cos - odd * sin
    new_odd = even * sin + odd * cos
    return torch.stack([new_even, new_odd], dim=-1).reshape(x.shape)

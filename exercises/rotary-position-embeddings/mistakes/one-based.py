# framework: torch
"""You rotated each token one position too far. Positions count from zero, and a vector at position 0 stays as it is:
use them as they come, without `+ 1`."""

import torch


def rotary_position_embeddings(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-torch.arange(0, d, 2) / d)
    angle = (positions + 1)[..., None] * theta
    cos, sin = torch.cos(angle), torch.sin(angle)
    even, odd = x[..., 0::2], x[..., 1::2]
    new_even = even * cos - odd * sin
    new_odd = even * sin + odd * cos
    return torch.stack([new_even, new_odd], dim=-1).reshape(x.shape)

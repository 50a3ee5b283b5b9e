# framework: torch
"""You return half as many columns as `x` has: only one number of each pair. Turning a pair gives two numbers, so return
both, in the order of `x`."""

import torch


def rotary_position_embeddings(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-torch.arange(0, d, 2) / d)
    angle = positions[..., None] * theta
    cos, sin = torch.cos(angle), torch.sin(angle)
    even, odd = x[..., 0::2], x[..., 1::2]
    new_even = even * cos - odd * sin
    new_odd = even * sin + odd * cos
    return new_even

# framework: torch
"""You paired neighbours, columns `2i` and `2i + 1`, as the paper does. In the halves layout, column `i` belongs with
column `i + rotary_dim / 2`: take `x[..., :half]` and `x[..., half:rotary_dim]`."""

import torch


def rotate_halves(x, positions, rotary_dim, base):
    half = rotary_dim // 2
    theta = base ** (-torch.arange(half) / half)
    angle = positions[:, None] * theta
    cos, sin = torch.cos(angle), torch.sin(angle)
    first, second, rest = x[..., 0:rotary_dim:2], x[..., 1:rotary_dim:2], x[..., rotary_dim:]
    new_first = first * cos - second * sin
    new_second = second * cos + first * sin
    return torch.cat([torch.stack([new_first, new_second], dim=-1).flatten(-2), rest], dim=-1)

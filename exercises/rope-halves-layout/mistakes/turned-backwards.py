# framework: torch
"""You turned each pair the other way round. The minus belongs in the first half: `first * cos - second * sin`, and
`second * cos + first * sin` in the second."""

import torch


def rotate_halves(x, positions, rotary_dim, base):
    half = rotary_dim // 2
    theta = base ** (-torch.arange(half) / half)
    angle = positions[:, None] * theta
    cos, sin = torch.cos(angle), torch.sin(angle)
    first, second, rest = x[..., :half], x[..., half:rotary_dim], x[..., rotary_dim:]
    new_first = first * cos + second * sin
    new_second = second * cos - first * sin
    return torch.cat([new_first, new_second, rest], dim=-1)

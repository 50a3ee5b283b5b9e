# framework: torch
"""You return only the columns that turn. Join the columns from `rotary_dim` on behind them, unchanged, so that the
shape is that of `x`."""

import torch


def rotate_halves(x, positions, rotary_dim, base):
    half = rotary_dim // 2
    theta = base ** (-torch.arange(half) / half)
    angle = positions[:, None] * theta
    cos, sin = torch.cos(angle), torch.sin(angle)
    first, second, rest = x[..., :half], x[..., half:rotary_dim], x[..., rotary_dim:]
    new_first = first * cos - second * sin
    new_second = second * cos + first * sin
    return torch.cat([new_first, new_second], dim=-1)

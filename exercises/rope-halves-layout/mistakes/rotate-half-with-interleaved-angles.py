# framework: torch
"""You repeated each angle twice in a row, as the interleaved layout needs it. In the halves layout, column `i` and
column `i + rotary_dim / 2` share an angle: append the angles to themselves, `torch.cat([angle, angle], dim=-1)`."""

import torch


def rotate_halves(x, positions, rotary_dim, base):
    half = rotary_dim // 2
    theta = base ** (-torch.arange(half) / half)
    angle = torch.repeat_interleave(positions[:, None] * theta, 2, dim=-1)
    first, second, rest = x[..., :half], x[..., half:rotary_dim], x[..., rotary_dim:]
    turned = torch.cat([-second, first], dim=-1)
    out = x[..., :rotary_dim] * torch.cos(angle) + turned * torch.sin(angle)
    return torch.cat([out, rest], dim=-1)

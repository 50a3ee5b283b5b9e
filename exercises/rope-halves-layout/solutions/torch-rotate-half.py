# framework: torch
import torch


def rotate_half(x):
    first, second = x.chunk(2, dim=-1)
    return torch.cat([-second, first], dim=-1)


def rotate_halves(x, positions, rotary_dim, base):
    theta = 1.0 / base ** (torch.arange(0, rotary_dim, 2) / rotary_dim)     # (r/2,)
    angle = torch.outer(positions.float(), theta)                           # (T, r/2)
    angle = torch.cat([angle, angle], dim=-1)                               # (T, r)
    turned, rest = x[..., :rotary_dim], x[..., rotary_dim:]
    turned = turned * angle.cos() + rotate_half(turned) * angle.sin()       # (N, H, T, r)
    return torch.cat([turned, rest], dim=-1)                                # (N, H, T, d)

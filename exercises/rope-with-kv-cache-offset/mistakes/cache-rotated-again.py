# framework: torch
"""You rotated the cached keys a second time. They were rotated when they were new: rotate only `k`, and then put the
cache in front of it as it is."""

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
    keys = torch.cat([cached_keys, k], dim=2)
    return rotate(q, torch.arange(S, S + T), base), rotate(keys, torch.arange(S + T), base)

# framework: torch
import torch


def rotate(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-torch.arange(0, d, 2) / d)                           # (d/2,)
    angle = positions[:, None] * theta                                  # (T, d/2)
    cos, sin = torch.cos(angle), torch.sin(angle)
    even, odd = x[..., 0::2], x[..., 1::2]                              # (N, H, T, d/2) each
    pairs = torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1)
    return pairs.reshape(x.shape)  # (N, H, T, d)


def rope_with_cache(q, k, cached_keys, base):
    S, T = cached_keys.shape[2], q.shape[2]
    positions = torch.arange(S, S + T)                                     # (T,)
    keys = torch.cat([cached_keys, rotate(k, positions, base)], dim=2)  # (N, H, S + T, d)
    return rotate(q, positions, base), keys

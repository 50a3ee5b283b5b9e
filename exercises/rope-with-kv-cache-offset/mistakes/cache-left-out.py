# framework: torch
"""You return only the new keys. The queries also attend to the tokens before: append the new keys to `cached_keys`, for
the shape `(N, H, S + T, d)`."""

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
    return rotate(q, positions, base), rotate(k, positions, base)

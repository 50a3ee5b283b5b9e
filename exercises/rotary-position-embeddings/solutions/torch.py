# framework: torch
import torch


def rotary_position_embeddings(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-torch.arange(0, d, 2) / d)                    # (d/2,)
    angle = positions[..., None] * theta                            # (N, T, d/2)
    cos, sin = angle.cos(), angle.sin()
    even, odd = x[..., 0::2], x[..., 1::2]                          # (N, T, d/2) each
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)

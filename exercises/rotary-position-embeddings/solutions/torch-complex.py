# framework: torch
import torch


def rotary_position_embeddings(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-torch.arange(0, d, 2) / d)                    # (d/2,)
    angle = positions[..., None] * theta                            # (N, T, d/2)
    turn = torch.polar(torch.ones_like(angle), angle)               # (N, T, d/2) complex64
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], d // 2, 2).contiguous())
    return torch.view_as_real(pairs * turn).flatten(-2)             # (N, T, d)

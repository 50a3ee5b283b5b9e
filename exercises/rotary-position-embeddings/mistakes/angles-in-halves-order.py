# framework: torch
"""The pairs are neighbours, but their angles are in the order of the halves layout: all angles, then all of them once
more. Columns `2i` and `2i + 1` both need angle `i`: repeat each one, `angle.repeat_interleave(2, dim=-1)`."""

import torch


def rotary_position_embeddings(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-torch.arange(0, d, 2) / d)
    angle = positions[..., None] * theta
    angle = torch.cat([angle, angle], dim=-1)
    turned = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)
    return x * torch.cos(angle) + turned * torch.sin(angle)

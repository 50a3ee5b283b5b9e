"""Follows the `rotate_half` formula of GPT-NeoX and of LLaMA in Hugging Face's library, x * cos + rotate_half(x) * sin
on the first rotary_dim columns, here in float64 with torch."""

import numpy as np
import torch


def expected(x, positions, rotary_dim, base):
    vectors = torch.from_numpy(x).double()
    exponents = torch.arange(0, rotary_dim, 2, dtype=torch.float64) / rotary_dim
    angle = torch.outer(torch.from_numpy(positions).double(), 1.0 / base**exponents)
    angle = torch.cat([angle, angle], dim=-1)
    turning, staying = vectors[..., :rotary_dim], vectors[..., rotary_dim:]
    first, second = turning.chunk(2, dim=-1)
    turned = turning * angle.cos() + torch.cat([-second, first], dim=-1) * angle.sin()
    return torch.cat([turned, staying], dim=-1).numpy().astype(np.float32)

# framework: torch
import math

import torch


def positional_encoding(max_len, d_model, base=10000.0):
    column = torch.arange(d_model)                                      # (d_model,)
    omega = torch.pow(base, -2 * (column // 2) / d_model)               # (d_model,)
    quarter_turn = (column % 2) * math.pi / 2                           # cos(x) = sin(x + pi/2)
    return torch.sin(torch.arange(max_len)[:, None] * omega + quarter_turn)

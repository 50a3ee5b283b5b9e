# framework: torch
"""The values are right, but the dtype is float64, and a mix of float64 and float32 stays float64. Finish with
`.float()`."""

import torch


def positional_encoding(max_len, d_model, base=10000.0):
    position = torch.arange(max_len, dtype=torch.float64)[:, None]
    column = torch.arange(d_model)
    angle = position / base ** (2 * (column // 2) / d_model)
    return torch.where(column % 2 == 0, torch.sin(angle), torch.cos(angle))

# framework: torch
"""Your table has an axis in front, `(1, max_len, d_model)`, as modules keep it to add it to a batch. Return the
table itself, of shape `(max_len, d_model)`: leave out `unsqueeze(0)`."""

import torch


def positional_encoding(max_len, d_model, base=10000.0):
    position = torch.arange(max_len)[:, None]
    column = torch.arange(d_model)
    angle = position / base ** (2 * (column // 2) / d_model)
    return torch.where(column % 2 == 0, torch.sin(angle), torch.cos(angle)).unsqueeze(0)

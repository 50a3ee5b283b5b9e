# framework: torch
import torch


def positional_encoding(max_len, d_model, base=10000.0):
    position = torch.arange(max_len, dtype=torch.float32)[:, None]              # (max_len, 1)
    omega = base ** (-torch.arange(0, d_model, 2, dtype=torch.float32) / d_model)   # (pairs,)
    table = torch.zeros(max_len, d_model)
    table[:, 0::2] = torch.sin(position * omega)
    table[:, 1::2] = torch.cos(position * omega[: d_model // 2])
    return table

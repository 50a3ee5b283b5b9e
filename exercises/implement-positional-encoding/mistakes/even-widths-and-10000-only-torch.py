# framework: torch
# verdict: runtime_error
"""Right for an even `d_model` and a base of 10000. Two things are left: use `base` where you wrote 10000, and with
an odd `d_model` keep only the first `d_model // 2` angles for the cosines."""

import math

import torch


def positional_encoding(max_len, d_model, base=10000.0):
    position = torch.arange(max_len, dtype=torch.float32)[:, None]
    omega = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    table = torch.zeros(max_len, d_model)
    table[:, 0::2] = torch.sin(position * omega)
    table[:, 1::2] = torch.cos(position * omega)
    return table

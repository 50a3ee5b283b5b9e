# framework: torch
"""The values are only right to about seven digits: your angles are float32. Make `theta` in float64, `torch.arange(0,
d, 2, dtype=torch.float64)`."""

import torch


def rope_relative_check(q, k, rotated_q, rotated_k, base):
    T, d = rotated_q.shape
    scores = rotated_q @ rotated_k.T
    theta = base ** (-torch.arange(0, d, 2) / d)
    spread, error = [], []
    for distance in range(-(T - 1), T):
        cos, sin = torch.cos(distance * theta), torch.sin(distance * theta)
        even, odd = k[0::2] * cos.double() - k[1::2] * sin.double(), k[0::2] * sin.double() + k[1::2] * cos.double()
        wanted = q[0::2] @ even + q[1::2] @ odd
        diagonal = scores.diagonal(distance)
        spread.append(diagonal.max() - diagonal.min())
        error.append(abs(diagonal - wanted).max())
    return {"spread": torch.stack(spread), "error": torch.stack(error)}

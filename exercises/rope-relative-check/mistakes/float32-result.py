# framework: torch
"""Your arrays are float32, PyTorch's default for new tensors. The inputs are float64, and what should be zero is
visible only there: pass `dtype=torch.float64`."""

import torch


def rope_relative_check(q, k, rotated_q, rotated_k, base):
    T, d = rotated_q.shape
    scores = rotated_q @ rotated_k.T
    theta = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    spread, error = [], []
    for distance in range(-(T - 1), T):
        cos, sin = torch.cos(distance * theta), torch.sin(distance * theta)
        even, odd = k[0::2] * cos - k[1::2] * sin, k[0::2] * sin + k[1::2] * cos
        wanted = q[0::2] @ even + q[1::2] @ odd
        diagonal = scores.diagonal(distance)
        spread.append(float(diagonal.max() - diagonal.min()))
        error.append(float((diagonal - wanted).abs().max()))
    return {"spread": torch.tensor(spread), "error": torch.tensor(error)}

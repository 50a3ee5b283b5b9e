# framework: torch
"""`spread` is right, but `error` compares each score with the first one of its diagonal. Compare with what RoPE
promises, the dot product of `q` with `k` turned by the distance."""

import torch


def rope_relative_check(q, k, rotated_q, rotated_k, base):
    T, d = rotated_q.shape
    scores = rotated_q @ rotated_k.T
    theta = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    spread, error = [], []
    for distance in range(-(T - 1), T):
        cos, sin = torch.cos(distance * theta), torch.sin(distance * theta)
        even, odd = k[0::2] * cos - k[1::2] * sin, k[0::2] * sin + k[1::2] * cos
        wanted = scores.diagonal(distance)[0]
        diagonal = scores.diagonal(distance)
        spread.append(diagonal.max() - diagonal.min())
        error.append(abs(diagonal - wanted).max())
    return {"spread": torch.stack(spread), "error": torch.stack(error)}

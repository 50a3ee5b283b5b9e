# framework: torch
"""`spread` is right, but `error` compares with the scores of the opposite distances: you turn the key by `-distance`, or the
query by `distance`, which comes to the same. Turn the key by `n - m`: the pair `(a, b)` becomes `(a * cos - b * sin, a *
sin + b * cos)`."""

import torch


def rope_relative_check(q, k, rotated_q, rotated_k, base):
    T, d = rotated_q.shape
    scores = rotated_q @ rotated_k.T
    theta = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    spread, error = [], []
    for distance in range(-(T - 1), T):
        cos, sin = torch.cos(distance * theta), torch.sin(distance * theta)
        even, odd = q[0::2] * cos - q[1::2] * sin, q[0::2] * sin + q[1::2] * cos
        wanted = k[0::2] @ even + k[1::2] @ odd
        diagonal = scores.diagonal(distance)
        spread.append(diagonal.max() - diagonal.min())
        error.append(abs(diagonal - wanted).max())
    return {"spread": torch.stack(spread), "error": torch.stack(error)}

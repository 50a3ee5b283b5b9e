# framework: torch
import torch


def relative_shift(scores):
    H, T, K = scores.shape
    out = torch.zeros_like(scores)
    for i in range(T):
        moved = T - 1 - i
        out[:, i, : K - moved] = scores[:, i, moved:]
    return out

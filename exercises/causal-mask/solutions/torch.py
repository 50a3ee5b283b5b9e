# framework: torch
import torch


def causal_mask(scores):
    T = scores.shape[-1]
    later = torch.ones(T, T, dtype=torch.bool).triu(diagonal=1)     # (T, T)
    return scores.masked_fill(later, float("-inf"))                 # (B, H, T, T)

# framework: torch
import torch


def pairwise_distances(a, b):
    differences = a.unsqueeze(1) - b.unsqueeze(0)                   # (N, M, D)
    return differences.square().sum(dim=-1).sqrt()                  # (N, M)

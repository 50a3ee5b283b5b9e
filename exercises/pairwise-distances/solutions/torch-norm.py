# framework: torch
import torch


def pairwise_distances(a, b):
    return torch.linalg.vector_norm(a[:, None] - b[None], dim=-1)   # (N, M)

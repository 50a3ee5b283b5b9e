# framework: torch
import torch


def scatter_add_rows(rows, ids, K):
    return torch.zeros(K, rows.shape[1]).index_add_(0, ids, rows)           # (K, D)
